#include "core/host/processor_load.h"

#include <algorithm>

namespace tcpscope {

std::optional<double> softirqRatio(std::uint32_t processor, const ProcessorTimes& before, const ProcessorTimes& after) {
  const auto was = before.find(processor);
  const auto is = after.find(processor);
  if (was == before.end() || is == after.end()) return std::nullopt;
  if (is->second.all <= was->second.all || is->second.softirq < was->second.softirq) return std::nullopt;
  return static_cast<double>(is->second.softirq - was->second.softirq) /
         static_cast<double>(is->second.all - was->second.all);
}

std::optional<double> highestSoftirqRatio(const ProcessorTimes& before, const ProcessorTimes& after) {
  std::optional<double> highest;
  for (const auto& [processor, time] : after) highest = std::max(highest, softirqRatio(processor, before, after));
  return highest;
}

}  // namespace tcpscope
