#include "core/wire/waits/upstream_queue.h"

#include <algorithm>
#include <array>

#include "core/wire/flow/sequence_space.h"

namespace tcpscope {

namespace {

/// So long a queue cannot hide the unit any more: its own delay is the smaller part of the time.
constexpr Nanoseconds kLongEnough = std::chrono::seconds(1);
/// What senders count in: Linux milliseconds and, where so configured, microseconds; others hundredths of a second.
constexpr std::array<Nanoseconds, 4> kTicks = {std::chrono::microseconds(1), std::chrono::milliseconds(1),
                                               std::chrono::milliseconds(4), std::chrono::milliseconds(10)};
/// Clocks of hosts differ by up to one part in so many.
constexpr std::int64_t kDriftOneIn = 10'000;

/// 0 where none is near.
Nanoseconds tickOf(Nanoseconds measured) {
  for (const Nanoseconds tick : kTicks) {
    if (measured >= tick * 6 / 10 && measured <= tick * 16 / 10) return tick;
  }
  return Nanoseconds::zero();
}

}  // namespace

void UpstreamQueue::take(WallTime time, std::uint32_t timestamp) {
  if (!m_hasFirst) {
    m_firstTime = m_lastTime = time;
    m_firstTimestamp = timestamp;
    m_hasFirst = true;
  }
  const Nanoseconds elapsed = time - m_firstTime;
  if (isBefore(timestamp, m_firstTimestamp) || elapsed < kLongEnough || timestamp == m_firstTimestamp) return;
  const std::int64_t ticks = timestamp - m_firstTimestamp;
  const Nanoseconds tick = tickOf(elapsed / ticks);
  if (tick != m_tick) m_quickest = Nanoseconds::zero();
  m_tick = tick;
  m_delay = Nanoseconds::zero();
  if (tick == Nanoseconds::zero()) return;
  const Nanoseconds way = elapsed - tick * ticks;
  const Nanoseconds aged = m_quickest + (time - m_lastTime) / kDriftOneIn;
  m_lastTime = time;
  m_quickest = std::min(aged, way);
  // A value is as old as a tick when it is sent.
  m_delay = std::max(way - m_quickest - tick, Nanoseconds::zero());
}

}  // namespace tcpscope
