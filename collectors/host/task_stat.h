// The text of /proc/PID/task/TID/stat and schedstat (proc(5), Documentation/scheduler/sched-stats.rst).
//
// The name in a stat line is the program's own choice and may hold anything. What does not read as such a line is
// nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/units.h"
#include "core/base/untrusted_text.h"

namespace tcpscope {

struct TaskStat {
  UntrustedText name;
  /// 'R' running, 'S' asleep, 'D' asleep and deaf to signals, 'Z' ended.
  char state = '?';
  /// Since the boot.
  Nanoseconds begun{0};
  /// In user space and in the kernel.
  Nanoseconds ran{0};
  /// Pages that had to be read from a disk first.
  std::optional<std::uint64_t> majorFaults{};
  /// For block devices; absent before Linux 2.6.18.
  std::optional<Nanoseconds> waitedForDisk{};
};

/// `ticksPerSecond` is sysconf(_SC_CLK_TCK).
std::optional<TaskStat> taskStatIn(std::string_view text, std::int64_t ticksPerSecond);

/// How long it was ready to run and did not. Nothing where it never ran, or the kernel does not count it: then the line
/// is all zeros.
std::optional<Nanoseconds> processorWaitIn(std::string_view schedstatText);

}  // namespace tcpscope
