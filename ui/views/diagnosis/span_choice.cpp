#include "ui/views/diagnosis/span_choice.h"

#include <algorithm>

namespace tcpscope {

std::optional<TimeSpan> chosenSpan(SpanChoice choice, const LimitTimeline& timeline,
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
    case SpanChoice::cursors:
      break;
  }
  return cursors ? *cursors : last(std::chrono::seconds(30));
}

}  // namespace tcpscope
