#include "app/session/capacity_capture.h"

#include <algorithm>

#include "collectors/pcap/capture_interface.h"
#include "core/filter/packet_filter.h"
#include "core/session/capture/captured_packets.h"
#include "core/session/path_capacity.h"

namespace tcpscope {

namespace {

/// A few thousand packets are enough; more, of a fast path, find no room in it.
constexpr Bytes kRing{std::uint64_t{4} << 20U};

/// A loopback has no path, and a saturated bottleneck no next limit.
bool helps(const ConnectionDetail& detail) {
  const Verdict& verdict = detail.diagnosis.verdict;
  const bool isSaturated = verdict.cause == Cause::pathFull || verdict.cause == Cause::queue;
  return isActive(detail.diagnosis) && verdict.goodput > BitsPerSecond(0.0) && !verdict.next && !isSaturated &&
         !detail.socket.remote.address.unmapped().isLoopback();
}

}  // namespace

CapacityCapture::CapacityCapture(const std::vector<std::shared_ptr<const ConnectionDetail>>& details) {
  for (const auto& detail : details) {
    if (m_streams.size() == kMostConnections) return;
    if (!helps(*detail)) continue;
    CaptureRequest request;
    request.connection = detail->row.id;
    const CaptureOrder order = captureOrderOf(request, detail->socket);
    LiveCaptureSettings settings;
    settings.interface = captureInterfaceOf(order.local.address, order.remote.address);
    settings.filter = packetFilterOf(order.local, order.remote);
    settings.ring = kRing;
    auto capture = LiveCapture::open(settings);
    // Where one may not be captured, none may.
    if (!capture) return;
    m_streams.push_back(std::make_unique<Stream>(
        Stream{detail->row.id, std::move(*capture), CapturedStream(order, Bytes(std::uint64_t{1} << 20U))}));
  }
}

void CapacityCapture::take() {
  // So many at once that the other connections' rings do not fill meanwhile.
  constexpr int kMostAtOnce = 65'536;
  for (const auto& stream : m_streams) {
    for (int taken = 0; taken < kMostAtOnce; ++taken) {
      const auto frame = stream->capture->next();
      if (!frame || *frame == nullptr) break;
      stream->packets.take(**frame);
    }
    stream->packets.setCounts(stream->capture->counts());
  }
}

void CapacityCapture::teach(std::vector<std::shared_ptr<const ConnectionDetail>>& details) {
  for (const auto& stream : m_streams) {
    const auto packets = stream->packets.observe().packets;
    const auto known = std::find_if(details.begin(), details.end(),
                                    [&](const auto& detail) { return detail->row.id == stream->connection; });
    if (!packets || known == details.end()) continue;
    auto taught = std::make_shared<ConnectionDetail>(**known);
    learnCapacity(*taught, packets->analysis);
    *known = std::move(taught);
  }
}

}  // namespace tcpscope
