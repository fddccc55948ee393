#include "ui/views/diagnosis/span_choice.h"

#include <algorithm>

namespace tcpscope {

namespace {

TimeSpan transferSpan(const std::vector<LimitInterval>& intervals, Side side, const TimeSpan& all) {
  const auto isSilent = [side](const LimitInterval& interval) {
    const LimitShares& shares = side == Side::sending ? interval.sending : interval.receiving;
    return shares.ratio(Limit::idle) >= 1.0;
  };
  const auto first = std::find_if_not(intervals.begin(), intervals.end(), isSilent);
  if (first == intervals.end()) return all;
  return {first->from, std::find_if_not(intervals.rbegin(), intervals.rend(), isSilent)->to};
}

}  // namespace

std::optional<TimeSpan> chosenSpan(SpanChoice choice, const LimitTimeline& timeline, Side side,
                                   const std::optional<TimeSpan>& cursors) {
  const auto& intervals = timeline.intervals();
  if (intervals.empty()) return std::nullopt;
  const TimeSpan all{intervals.front().from, intervals.back().to};
  const auto last = [&](std::chrono::seconds span) { return TimeSpan{std::max(all.from, all.to - span), all.to}; };
  switch (choice) {
    case SpanChoice::lastFiveSeconds:
      return last(std::chrono::seconds(5));
    case SpanChoice::lastThirtySeconds:
      return last(std::chrono::seconds(30));
    case SpanChoice::everything:
      return all;
    case SpanChoice::transfer:
      return transferSpan(intervals, side, all);
    case SpanChoice::cursors:
      break;
  }
  return cursors ? *cursors : last(std::chrono::seconds(30));
}

}  // namespace tcpscope
