// Where a sysctl is set at boot, and by whom else, in words.
//
// Paths and values are other people's text: they leave by an escaper, so that the words fit a terminal or plain text.
#pragma once

#include <string>
#include <string_view>

#include "core/host/other_tuners.h"
#include "core/host/sysctl_sources.h"

namespace tcpscope {

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
