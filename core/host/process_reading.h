// What the system reports about one process at one instant.
//
// Figures as in proc(5): /proc/PID/task/*/stat and schedstat, /proc/PID/io.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/moment.h"
#include "core/base/units.h"
#include "core/base/untrusted_text.h"
#include "core/host/reported.h"

namespace tcpscope {

struct ThreadReading {
  std::uint32_t id = 0;
  UntrustedText name;
  /// Since the boot: shows whether the TID belongs to another thread by now.
  Nanoseconds begun{0};
  /// On a processor, since it began; so are the other two.
  Nanoseconds ran{0};
  /// Ready to run while the processors did something else.
  std::optional<Nanoseconds> waitedForProcessor{};
  /// For the disk. Stays at nothing where the kernel does not count it.
  std::optional<Nanoseconds> waitedForDisk{};
  /// Pages that had to be read from the disk first (majflt).
  std::optional<std::uint64_t> majorFaults{};
  /// Just now, in a way that no signal ends: for the disk as a rule (state D).
  bool waitsUninterruptibly = false;
};

/// Of all threads, those that ended too: write(), writev() and their like. send() and sendmsg() are not among them
/// (fs/read_write.c counts, net/socket.c does not).
struct WriteCounters {
  std::uint64_t calls = 0;
  std::uint64_t bytes = 0;
};

struct ProcessReading {
  Moment at;
  std::uint32_t pid = 0;
  UntrustedText name;
  Nanoseconds begun{0};
  /// At least one; those that ended are left out.
  std::vector<ThreadReading> threads;
  /// False: there were more than are read.
  bool isWhole = true;
  Reported<WriteCounters> writes = unreported();
  /// kernel.task_delayacct; absent where this kernel does not have it (before Linux 5.14).
  std::optional<bool> countsDiskWaits{};
};

}  // namespace tcpscope
