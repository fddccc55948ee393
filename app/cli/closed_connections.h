// `list --kill`: closes the connections that a filter matches, as `ss -K` does, after asking.
#pragma once

#include <optional>

#include "app/cli/command_options.h"
#include "app/cli/listing.h"

namespace tcpscope {

/// The exit code after printing why nothing may be closed so: without a filter it would be every connection; in
/// all namespaces at once, or away from this host, it is not done.
std::optional<ExitCode> refuseKill(const CommandOptions& options, const ConnectionFilter& filter);

/// Closes these connections of the place once the person has agreed in the terminal, or at once with `yes`. Prints how
/// many were closed.
ExitCode closeConnections(const LocalPlace& place, const Sockets& connections, bool yes);

}  // namespace tcpscope
