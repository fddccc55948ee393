// How fast the transfers are that begin while a command looks: what a setting does for new connections.
#pragma once

#include <vector>

#include "app/cli/exit_code.h"
#include "app/cli/interruption.h"
#include "core/base/expected.h"
#include "core/base/units.h"

namespace tcpscope {

/// The mean goodput in bit/s of each connection of this process's network namespace that began in the span, moved
/// kFewestBytes or more, and was seen for kShortestSeen. Both directions count, whichever carried more. An error was
/// already printed.
inline constexpr double kFewestBytes = 128.0 * 1024.0;
inline constexpr Nanoseconds kShortestSeen = std::chrono::milliseconds(500);
Expected<std::vector<double>, ExitCode> goodputsOfNewTransfers(Nanoseconds span, const Interruption& interruption);

}  // namespace tcpscope
