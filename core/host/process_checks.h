// The checks of one program: whether it can give TCP its data, and take it, as fast as the rest of the host.
#pragma once

#include "core/host/host_checkup.h"
#include "core/host/process_reading.h"
#include "core/model/socket_observation.h"

namespace tcpscope {

/// Two readings of one PID, the earlier first; the rows follow those of the host. Where the number is
/// another process's by now, nothing is known.
std::vector<CheckRow> checkUpProcess(const Reported<ProcessReading>& before, const Reported<ProcessReading>& after);

/// Nothing where the number is another process's by now, or the kernel does not count. What the processors did is the
/// caller's to add.
std::optional<ProgramWaits> programWaits(const ProcessReading& before, const ProcessReading& after);

}  // namespace tcpscope
