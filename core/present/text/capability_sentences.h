// What a capability is, in a few words; what its absence means; and the command that mends it.
#pragma once

#include <string>
#include <string_view>

#include "core/host/capability.h"

namespace tcpscope {

/// For programs: "socket_dump"; "works", "partly", "missing", "not_tried".
std::string_view name(Capability capability);
std::string_view name(CapabilityStatus status);
/// "Every TCP connection of this network namespace".
std::string_view title(Capability capability);
/// What works, or what is missing and why. One line.
std::string sentence(const CapabilityState& state);
/// The same without title and status, for a table; empty where there is nothing to explain.
std::string explanation(const CapabilityState& state);
/// A command to copy that mends it; empty where nothing is to be mended, or no command can.
std::string_view remedyCommand(const CapabilityState& state);

/// One line for a status bar: what is seen less well here than could be; empty where everything works that views need.
std::string notice(const CapabilityReport& report);

}  // namespace tcpscope
