#include "core/wire/waits/upstream_queue.h"

#include <algorithm>
#include <array>

#include "core/wire/flow/sequence_space.h"

namespace tcpscope {

namespace {

/// So long a queue cannot hide the unit any more: its own delay is the smaller part of the time.
constexpr Nanoseconds kLongEnough = std::chrono::seconds(1);
/// What senders count in: Linux milliseconds and, where told to, microseconds; others hundredths of a second.
constexpr std::array<Nanoseconds, 4> kTicks = {std::chrono::microseconds(1), std::chrono::milliseconds(1),
                                               std::chrono::milliseconds(4), std::chrono::milliseconds(10)};
/// Clocks of hosts differ by up to so many parts in a million.
constexpr std::int64_t kDriftPerMillion = 100;

/// 0 where none is near.
Nanoseconds tickOf(Nanoseconds measured) {
  for (const Nanoseconds tick : kTicks) {
    if (measured * 10 >= tick * 6 && measured * 10 <= tick * 16) return tick;
  }
  return Nanoseconds::zero();
}

}  // namespace

void UpstreamQueue::take(WallTime time, std::uint32_t timestamp) {
  if (!m_firstTime) {
    m_firstTime = m_lastTime = time;
    m_firstTimestamp = timestamp;
  }
  const Nanoseconds elapsed = time - *m_firstTime;
  if (isBefore(timestamp, m_firstTimestamp) || elapsed < kLongEnough || timestamp == m_firstTimestamp) return;
  const std::int64_t ticks = timestamp - m_firstTimestamp;
  const Nanoseconds tick = tickOf(elapsed / ticks);
  if (tick != m_tick) m_quickest = Nanoseconds::zero();
  m_tick = tick;
  m_delay = Nanoseconds::zero();
  if (tick == Nanoseconds::zero()) return;
  const Nanoseconds way = elapsed - tick * ticks;
  const Nanoseconds aged = m_quickest + (time - m_lastTime) * kDriftPerMillion / 1'000'000;
  m_lastTime = time;
  m_quickest = std::min(aged, way);
  // A value is as old as a tick when it is sent.
  m_delay = std::max(way - m_quickest - tick, Nanoseconds::zero());
}

}  // namespace tcpscope
