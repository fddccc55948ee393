// Starts ssh for the transport to another host, as a child process of the desktop application.
#pragma once

#include "app/changes/transport/change_transport.h"

namespace tcpscope {

CommandResult runSsh(const std::vector<std::string>& words, SshManner manner, const std::stop_token& stop);

}  // namespace tcpscope
