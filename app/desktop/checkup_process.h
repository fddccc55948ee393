// The check-up of a host behind ssh, for the background: of the check-up view and of reports.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "app/remote/ssh_checkup.h"

namespace tcpscope {

/// Blocks until the host behind this address has checked itself; fails with a sentence. Without a process that has
/// ended there, the rest is checked. Never prompts: the window asks for a password only where the user connects to a
/// host.
Expected<HostCheckup, std::string> checkRemoteHost(const std::string& address, const CheckupOrder& order,
                                                   const std::stop_token& stop);

/// As checkRemoteHost().
using CheckRemoteHost = std::function<Expected<HostCheckup, std::string>(
    const std::string& address, const CheckupOrder& order, const std::stop_token&)>;

}  // namespace tcpscope
