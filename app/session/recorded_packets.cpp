#include "app/session/recorded_packets.h"

#include "app/session/captured_stream.h"
#include "app/session/packet_recorder.h"
#include "collectors/pcap/capture_reader.h"

namespace tcpscope {

namespace {

/// Of so many connections the packets are kept.
constexpr std::size_t kKeptConnections = 8;
/// A packet so long before the recording belongs to an older one with the same name.
constexpr Nanoseconds kBefore = std::chrono::minutes(1);

}  // namespace

RecordedPackets::RecordedPackets(const std::filesystem::path& recording, PlaceId place, const ClockPair& clock)
    : m_file(packetsBeside(recording)), m_place(place), m_clock(clock) {
  std::error_code error;
  m_exists = std::filesystem::is_regular_file(m_file, error);
}

std::shared_ptr<const CapturedPackets> RecordedPackets::read(const ConnectionDetail& detail) {
  auto source = openRegularFile(m_file);
  if (!source) return nullptr;
  auto reader = CaptureReader::open(std::move(*source));
  if (!reader) return nullptr;
  CaptureRequest request;
  request.number = ++m_newestNumber;
  request.connection = detail.row.id;
  CapturedStream stream(captureOrderOf(request, detail.socket), PacketRecorder::kBudget, OtherClock{m_clock});
  std::uint64_t bytes = 0;
  while (const CaptureItem item = (*reader)->next()) {
    if (item.frame == nullptr) continue;
    bytes += item.frame->bytes.size();
    if (bytes > PacketRecorder::kBudget.value()) break;
    stream.take(*item.frame);
  }
  if (const auto dropped = (*reader)->drops().byStatistics) {
    stream.setCounts(LiveCaptureCounts{Count(stream.state.packets), Count(*dropped), Count(0)});
  }
  std::shared_ptr<const CapturedPackets> packets = stream.observe().packets;
  const bool isOlder = packets && packets->series.firstTime() < m_clock.monotonic - kBefore;
  return isOlder ? nullptr : packets;
}

bool RecordedPackets::addTo(SessionSnapshot& snapshot) {
  bool hasAdded = false;
  for (auto& [id, detail] : snapshot.details) {
    if (id.place != m_place || detail->packets) continue;
    auto known = m_known.find(id);
    if (known == m_known.end()) {
      if (m_known.size() >= kKeptConnections) m_known.clear();
      known = m_known.emplace(id, read(*detail)).first;
    }
    if (!known->second) continue;
    auto withPackets = std::make_shared<ConnectionDetail>(*detail);
    withPackets->packets = known->second;
    detail = std::move(withPackets);
    hasAdded = true;
  }
  return hasAdded;
}

}  // namespace tcpscope
