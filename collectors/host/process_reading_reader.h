// Reads what the check-up of one program needs from /proc/PID: its threads and what the system counts of its writes.
//
// Holds the process's folder open while it reads: what is read is one process's, even where its number is given to
// another meanwhile. Threads that end meanwhile are left out.
#pragma once

#include <filesystem>

#include "core/host/process_reading.h"

namespace tcpscope {

/// Its threads need no right and no lock of the process; its writes need both.
enum class ProcessParts : std::uint8_t { threads, all };

/// `ended` where there is no such process, or none that may be seen from here. `root` is above proc.
Reported<ProcessReading> readProcess(const std::filesystem::path& root, std::uint32_t pid,
                                     ProcessParts parts = ProcessParts::all);

}  // namespace tcpscope
