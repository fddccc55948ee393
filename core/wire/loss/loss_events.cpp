#include "core/wire/loss/loss_events.h"

#include "core/base/proportion.h"

namespace tcpscope {

std::vector<LossEvent> lossEventsOf(std::span<const Loss> losses, Nanoseconds rtt) {
  std::vector<LossEvent> events;
  for (const Loss& loss : losses) {
    if (events.empty() || loss.time - events.back().start > rtt) {
      events.push_back({loss.time, loss.position, loss.rttBefore, 0});
    }
    ++events.back().losses;
  }
  return events;
}

std::optional<LossEventRatio> lossEventRatio(std::uint64_t events, std::uint64_t packets) {
  const auto interval = proportionInterval95(events, packets);
  if (!interval) return std::nullopt;
  return LossEventRatio{static_cast<double>(events) / static_cast<double>(packets), *interval};
}

}  // namespace tcpscope
