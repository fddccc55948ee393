// A host in words: what a capability is, what its absence means, and the command that mends it; where a sysctl is set
// at boot, and by whom else.
//
// Paths and values are other people's text: they leave by an escaper, so that the words fit a terminal or plain text.
#pragma once

#include <string>
#include <string_view>

#include "core/host/capability.h"
#include "core/host/other_tuners.h"
#include "core/host/sysctl_sources.h"

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

/// "/etc/sysctl.d/99-sysctl.conf:12"
std::string placeOf(const SysctlSource& source);
/// "Set at boot by /etc/sysctl.d/99-sysctl.conf:12 to 4096 131072 6291456.", or that no file sets it, as far as the
/// files could be read.
std::string bootSentence(const SysctlSources& sources, std::string_view key);
/// "/etc/sysctl.d/99-sysctl.conf:12 would override 90-tcpscope.conf at boot with 1." Empty where nothing would; what
/// could not be read is named.
std::string overrideSentence(const SysctlOverride& later);
/// "TuneD runs and may set it again." One a tuner that was found.
std::string sentence(const FoundTuner& tuner);

}  // namespace tcpscope
