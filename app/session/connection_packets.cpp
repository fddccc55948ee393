#include "app/session/connection_packets.h"

#include "app/session/capture_memory.h"
#include "collectors/pcap/capture_reader.h"
#include "collectors/pcap/packet_decoder.h"

namespace tcpscope {

namespace {

/// Takes the packets of connections with the same ends until there are too many.
class PacketsOfEnds {
public:
  explicit PacketsOfEnds(bool dropped) {
    m_analysis.correctOrder();
    m_analysis.limitBytes(captureMemory());
    m_analysis.keepSeries();
    if (dropped) m_analysis.noteDrops();
  }

  /// False where it is one too many.
  bool take(const PacketSample& sample) {
    m_isFull = m_isFull || ++m_kept > kMostSeriesPackets || m_analysis.isFull();
    if (!m_isFull) m_analysis.take(sample);
    return !m_isFull;
  }

  /// Of the connection that `before` others came before.
  ConnectionPackets finish(std::size_t before) {
    m_analysis.finish();
    ConnectionPackets packets;
    packets.leftPacketsOut = m_isFull;
    if (before >= m_analysis.connectionCount()) return packets;
    packets.captured = std::make_shared<CapturedPackets>();
    packets.captured->series = std::move(*m_analysis.releaseSeries(before));
    packets.captured->analysis = m_analysis.connection(before);
    packets.captured->initiator = m_analysis.flows().connections()[before]->initiator();
    return packets;
  }

private:
  CaptureAnalysis m_analysis;
  std::uint64_t m_kept = 0;
  bool m_isFull = false;
};

/// The last of the connections between these ends that began by then.
std::optional<std::size_t> connectionAt(const CaptureAnalysis& analysis, const PacketSample& packet) {
  const EndPair ends(packet.source, packet.destination);
  std::optional<std::size_t> found;
  for (std::size_t index = 0; index < analysis.connectionCount(); ++index) {
    const CapturedEnds its = analysis.ends(index);
    if (!ends.hold(its.initiator, its.responder)) continue;
    if (!found || analysis.connection(index).flow.firstTime <= packet.time) found = index;
  }
  return found;
}

/// Each frame of a file, decoded where it holds a segment (else null), until `take` or `goOn` returns false.
template <class Take>
void readFrames(const std::filesystem::path& file, bool insideTunnels, const std::function<bool(std::uint64_t)>& goOn,
                const Take& take) {
  auto source = openFile(file);
  auto reader = source ? CaptureReader::open(std::move(*source)) : Unexpected<CaptureFault>(source.error());
  PacketDecoder decoder({insideTunnels});
  PacketSample sample;
  std::uint64_t taken = 0;
  while (reader) {
    const CaptureItem item = (*reader)->next();
    if (!item) break;
    if (item.frame == nullptr) continue;
    const bool isSegment = !decoder.decode(sample, *item.frame);
    if (!take(item.frame->place().number, isSegment ? &sample : nullptr)) break;
    if (++taken % kReadBetweenQuestions == 0 && !goOn(taken)) break;
  }
}

}  // namespace

ConnectionInFile ConnectionInFile::of(std::filesystem::path file, const CaptureAnalysis& analysis, std::size_t index) {
  const CapturedEnds ends = analysis.ends(index);
  ConnectionInFile connection{std::move(file), EndPair(ends.initiator, ends.responder)};
  for (std::size_t other = 0; other < index; ++other) {
    const CapturedEnds others = analysis.ends(other);
    connection.sameBefore += connection.ends.hold(others.initiator, others.responder) ? 1U : 0U;
  }
  return connection;
}

ConnectionPackets readConnection(const ConnectionInFile& connection, bool dropped,
                                 const std::function<bool(std::uint64_t)>& goOn) {
  PacketsOfEnds packets(dropped);
  readFrames(connection.file, connection.insideTunnels, goOn, [&](std::uint64_t, const PacketSample* sample) {
    const bool isIts = sample != nullptr && connection.ends.hold(*sample);
    return !isIts || packets.take(*sample);
  });
  return packets.finish(connection.sameBefore);
}

std::optional<std::size_t> findConnectionOf(const std::filesystem::path& file, const CaptureAnalysis& analysis,
                                            std::uint64_t number, const std::function<bool()>& goOn) {
  std::optional<std::size_t> found;
  const auto ask = [&](std::uint64_t) { return goOn(); };
  readFrames(file, false, ask, [&](std::uint64_t frame, const PacketSample* sample) {
    if (frame == number && sample != nullptr) found = connectionAt(analysis, *sample);
    return frame < number;
  });
  return found;
}

std::optional<ConnectionPackets> readConnectionAt(CaptureReader& reader, PacketPlaces::Walk places, const EndPair& ends,
                                                  bool dropped, const std::function<bool(std::uint64_t)>& goOn) {
  PacketsOfEnds packets(dropped);
  std::uint64_t taken = 0;
  for (PacketPlace place; places.next(place);) {
    const CapturedFrame* const frame = reader.frameAt(place);
    const auto sample = frame != nullptr ? decodePacket(*frame) : Unexpected<NoSegment>(NoSegment::cut);
    if (!sample || !ends.hold(*sample)) return std::nullopt;
    if (!packets.take(*sample)) break;
    if (++taken % kReadBetweenQuestions == 0 && !goOn(taken)) break;
  }
  return packets.finish(0);
}

}  // namespace tcpscope
