#include "core/diagnosis/limits/limit_timeline.h"

#include <algorithm>

namespace tcpscope {

namespace {

LimitInterval joined(const LimitInterval& first, const LimitInterval& second) {
  LimitInterval both = first;
  both.to = second.to;
  both.sending += second.sending;
  both.receiving += second.receiving;
  return both;
}

/// Joins the intervals of the older half in pairs, so that appending stays cheap on average.
void coarsenOlderHalf(std::vector<LimitInterval>& intervals) {
  const std::size_t pairs = intervals.size() / 4;
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    intervals[pair] = joined(intervals[2 * pair], intervals[2 * pair + 1]);
  }
  const auto first = intervals.begin() + static_cast<std::ptrdiff_t>(pairs);
  intervals.erase(first, first + static_cast<std::ptrdiff_t>(pairs));
}

LimitShares weighted(const LimitShares& shares, double weight) {
  LimitShares part;
  for (const Limit limit : kLimits) {
    part.add(limit, Nanoseconds(static_cast<std::int64_t>(static_cast<double>(shares.span(limit).count()) * weight)));
  }
  return part;
}

}  // namespace

void LimitTimeline::append(const LimitInterval& interval) {
  m_intervals.push_back(interval);
  // Pairs are joined within the older half: below four there is no pair to join.
  constexpr std::size_t kSmallestCapacity = 4;
  if (m_intervals.size() > std::max(m_capacity, kSmallestCapacity)) coarsenOlderHalf(m_intervals);
}

LimitInterval LimitTimeline::sum(Moment from, Moment to) const {
  LimitInterval total;
  total.from = from;
  total.to = to;
  const auto endsBefore = [](const LimitInterval& interval, Moment moment) { return interval.to <= moment; };
  const auto first = std::lower_bound(m_intervals.begin(), m_intervals.end(), from, endsBefore);
  for (auto interval = first; interval != m_intervals.end() && interval->from < to; ++interval) {
    const Nanoseconds length = interval->to - interval->from;
    const Nanoseconds overlap = std::min(interval->to, to) - std::max(interval->from, from);
    const double weight = static_cast<double>(overlap.count()) / static_cast<double>(length.count());
    total.sending += weighted(interval->sending, weight);
    total.receiving += weighted(interval->receiving, weight);
  }
  return total;
}

}  // namespace tcpscope
