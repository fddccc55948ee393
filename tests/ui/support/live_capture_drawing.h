// A live capture of a drawn transfer as snapshots show it, with the kernel's figures beside the packets.
#pragma once

#include <limits>

#include "tests/ui/support/captured_drawing.h"

namespace tcpscope::test {

inline constexpr ConnectionId kLiveConnection{PlaceId{0}, 7};

/// So far: so many segments of drawnTransfer(), and every 10 ms a sample.
inline std::shared_ptr<SessionSnapshot> snapshotOfLiveCapture(std::uint32_t segments) {
  const auto drawn = capturedPackets(drawnTransfer(segments, 0));
  auto packets = std::make_shared<CapturedPackets>();
  packets->series = drawn->series.since(drawn->series.firstTime());
  packets->analysis = drawn->analysis;
  packets->initiator = drawn->initiator;
  packets->live = 1;
  auto detail = std::make_shared<ConnectionDetail>();
  detail->row.id = kLiveConnection;
  detail->row.local = packets->analysis.flow.initiator;
  for (std::uint32_t step = 0; step <= segments; step += 10) {
    std::array<double, kMetricCount> values{};
    values.fill(std::numeric_limits<double>::quiet_NaN());
    values[static_cast<std::size_t>(Metric::congestionWindowBytes)] = 40'000.0 + step;
    values[static_cast<std::size_t>(Metric::inFlightBytes)] = 20'000.0;
    values[static_cast<std::size_t>(Metric::rtt)] = 21'000.0;
    detail->history.append(packets->series.firstTime() + Milliseconds(step), values);
  }
  auto snapshot = std::make_shared<SessionSnapshot>();
  snapshot->time = packets->series.lastTime();
  snapshot->capture = LiveCaptureState{1, kLiveConnection, LiveCapturePhase::running};
  detail->packets = std::move(packets);
  snapshot->details.emplace(kLiveConnection, std::move(detail));
  return snapshot;
}

}  // namespace tcpscope::test
