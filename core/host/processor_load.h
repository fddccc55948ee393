// How the processors spent their time between two readings.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace tcpscope {

/// Of one processor since the boot, in ticks (proc(5), /proc/stat).
struct ProcessorTime {
  std::uint64_t softirq = 0;
  std::uint64_t all = 0;
};

/// By the processors' numbers.
using ProcessorTimes = std::map<std::uint32_t, ProcessorTime>;

/// Share of its time in the kernel's work on packets and on what else interrupts leave behind. Nothing of a processor
/// that is not in both readings.
std::optional<double> softirqRatio(std::uint32_t processor, const ProcessorTimes& before, const ProcessorTimes& after);

/// Of the processor with the highest share.
std::optional<double> highestSoftirqRatio(const ProcessorTimes& before, const ProcessorTimes& after);

}  // namespace tcpscope
