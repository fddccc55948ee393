// The one connection that a command works on, named by its id, by its two ends, or by a filter.
#pragma once

#include "app/cli/exit_code.h"
#include "app/cli/listing.h"

namespace tcpscope {

struct CommandOptions;

/// "0:1a2b", as `list --json` has it. Absent for an id of another host or namespace.
std::optional<ConnectionId> connectionId(std::string_view word);
/// "192.0.2.1:443-198.51.100.7:40000": local and remote.
struct EndPairName {
  Endpoint local;
  Endpoint remote;
};
std::optional<EndPairName> endPair(std::string_view word);

/// The listing with that connection alone, without its owner; or the exit code after printing why there is not exactly
/// one.
Expected<Listing, ExitCode> chooseConnection(const CommandOptions& options, const LocalPlace& place,
                                             const std::optional<std::string>& word);

}  // namespace tcpscope
