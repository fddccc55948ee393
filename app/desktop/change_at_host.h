// How the command line runs at another host: behind the user's own ssh, only in the place that was shown, and with
// root's rights there where they are asked for.
#pragma once

#include "app/desktop/command_process.h"
#include "app/remote/ssh_command.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

/// Runs the words that start ssh; blocks.
using RunSsh =
    std::function<CommandAnswer(const std::vector<std::string>& words, SshManner manner, const std::stop_token& stop)>;
CommandAnswer runSsh(const std::vector<std::string>& words, SshManner manner, const std::stop_token& stop);

/// Stands before a command there that takes root's rights: sudo, which asks nobody, unless the login has them.
std::vector<std::string> rightsThere();

/// Runs words at the host behind `address`, unless another boot or another network namespace than the place's answers
/// there. What keeps them from running is told as a sentence; whether they ran may not be known (isLost).
RunCommand runAtHost(std::string address, const Place& place, SshManner manner, RunSsh run);

}  // namespace tcpscope
