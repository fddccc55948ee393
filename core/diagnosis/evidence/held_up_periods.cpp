#include "core/diagnosis/evidence/held_up_periods.h"

#include <algorithm>

namespace tcpscope {

namespace {

using SideShares = LimitShares LimitInterval::*;

Nanoseconds overlap(Moment fromA, Moment toA, Moment fromB, Moment toB) {
  return std::max(std::min(toA, toB) - std::max(fromA, fromB), Nanoseconds::zero());
}

class PeriodCounter {
public:
  explicit PeriodCounter(std::span<const ProgramWaits> waits) : m_waits(waits) {}

  /// One period from the first of these calls on; end() ends it.
  void goOn(Moment from, Moment to) {
    m_time += to - from;
    for (const ProgramWaits& sample : m_waits) {
      const double share = toSeconds(overlap(from, to, sample.from, sample.until));
      m_waited += std::chrono::duration_cast<Nanoseconds>(share * sample.processorRatio() * std::chrono::seconds(1));
    }
  }

  void end() {
    if (m_time == Nanoseconds::zero()) return;
    ++m_periods.count;
    m_periods.time += m_time;
    if (2 * m_waited >= m_time) {
      ++m_periods.withoutProcessor;
      m_periods.withoutProcessorTime += m_waited;
    }
    m_time = m_waited = Nanoseconds::zero();
  }

  [[nodiscard]] const HeldUpPeriods& periods() const { return m_periods; }

private:
  std::span<const ProgramWaits> m_waits;
  Nanoseconds m_time{0};
  Nanoseconds m_waited{0};
  HeldUpPeriods m_periods;
};

HeldUpPeriods heldUp(std::span<const LimitInterval> limits, SideShares side, std::span<const ProgramWaits> waits) {
  constexpr double kMostOfIt = 0.5;
  if (waits.empty()) return {};
  PeriodCounter counter(waits);
  for (const LimitInterval& interval : limits) {
    const Moment from = std::max(interval.from, waits.front().from);
    const Moment to = std::min(interval.to, waits.back().until);
    if (from >= to) continue;
    if ((interval.*side).ratio(Limit::application) >= kMostOfIt) {
      counter.goOn(from, to);
    } else {
      counter.end();
    }
  }
  counter.end();
  return counter.periods();
}

}  // namespace

HeldUpPeriods heldUpByReader(std::span<const LimitInterval> limits, std::span<const ProgramWaits> waits) {
  return heldUp(limits, &LimitInterval::receiving, waits);
}

HeldUpPeriods heldUpByWriter(std::span<const LimitInterval> limits, std::span<const ProgramWaits> waits) {
  return heldUp(limits, &LimitInterval::sending, waits);
}

}  // namespace tcpscope
