// Settings as a list shows them: what a sysctl does, and which values a sysctl or a socket option takes.
//
// After Linux, Documentation/networking/ip-sysctl.rst and Documentation/admin-guide/sysctl/net.rst.
#pragma once

#include <string>
#include <string_view>

#include "core/changes/setting_rule.h"
#include "core/changes/socket_option.h"

namespace tcpscope {

/// What the sysctl does, in a few words; empty for one that is not in the allow-list.
std::string_view explanationOfSysctl(std::string_view key);

/// "4,096 to 1,073,741,824", "fq, fq_codel, …".
std::string allowedText(const SettingRange& range);
/// "4.00 KiB to 512 MiB", "on or off".
std::string allowedText(const SocketOptionRow& row);

}  // namespace tcpscope
