#include "app/session/connection_packets.h"

#include "app/session/capture_memory.h"
#include "collectors/pcap/capture_reader.h"
#include "collectors/pcap/packet_decoder.h"

namespace tcpscope {

ConnectionInFile ConnectionInFile::of(std::filesystem::path file, const CaptureAnalysis& analysis, std::size_t index) {
  const auto connections = analysis.flows().connections();
  ConnectionInFile connection{std::move(file), EndPair(*connections[index])};
  for (std::size_t other = 0; other < index; ++other) {
    connection.sameBefore += connection.ends.areThoseOf(*connections[other]) ? 1U : 0U;
  }
  return connection;
}

ConnectionPackets readConnection(const ConnectionInFile& connection, bool dropped,
                                 const std::function<bool(std::uint64_t)>& goOn) {
  auto source = openFile(connection.file);
  auto reader = source ? CaptureReader::open(std::move(*source)) : Unexpected<CaptureFault>(source.error());
  CaptureAnalysis analysis;
  analysis.correctOrder();
  analysis.limitBytes(captureMemory());
  analysis.keepSeries();
  if (dropped) analysis.noteDrops();
  PacketDecoder decoder({connection.insideTunnels});
  PacketSample sample;
  std::uint64_t taken = 0;
  std::uint64_t kept = 0;
  while (reader) {
    const CaptureItem item = (*reader)->next();
    if (!item) break;
    if (item.frame == nullptr) continue;
    if (!decoder.decode(sample, *item.frame) && connection.ends.hold(sample)) {
      if (++kept > kMostSeriesPackets || analysis.isFull()) break;
      analysis.take(sample);
    }
    if (++taken % kReadBetweenQuestions == 0 && !goOn(taken)) break;
  }
  analysis.finish();
  ConnectionPackets packets;
  packets.leftPacketsOut = kept > kMostSeriesPackets || analysis.isFull();
  if (connection.sameBefore >= analysis.connectionCount()) return packets;
  packets.captured = std::make_shared<CapturedPackets>();
  packets.captured->series = std::move(*analysis.releaseSeries(connection.sameBefore));
  packets.captured->analysis = analysis.connection(connection.sameBefore);
  packets.captured->initiator = analysis.flows().connections()[connection.sameBefore]->initiator();
  return packets;
}

}  // namespace tcpscope
