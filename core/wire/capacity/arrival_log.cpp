#include "core/wire/capacity/arrival_log.h"

#include <algorithm>

namespace tcpscope {

namespace {

/// A gap that is longer than the log can say is a pause, and no spacing.
std::uint32_t gapOf(Nanoseconds span) {
  if (span < Nanoseconds::zero() || span.count() >= static_cast<std::int64_t>(Arrival::kUnknownGap)) {
    return Arrival::kUnknownGap;
  }
  return static_cast<std::uint32_t>(span.count());
}

std::uint32_t sendGapOf(Nanoseconds span) {
  const auto most = static_cast<std::int64_t>(Arrival::kUnknownGap) - 1;
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(span.count(), 0, most));
}

}  // namespace

void ArrivalLog::take(WallTime time, WallTime sent, std::uint64_t bytes) {
  Arrival arrival;
  arrival.bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes, std::numeric_limits<std::uint32_t>::max()));
  if (m_continues) {
    arrival.gapNs = gapOf(time - m_time);
    arrival.sendGapNs = sendGapOf(sent - m_sent);
  }
  m_time = time;
  m_sent = sent;
  m_continues = true;
  m_arrivals.push_back(arrival);
}

}  // namespace tcpscope
