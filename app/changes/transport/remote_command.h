// Runs `tcpscope-cli` on another host: behind the user's own ssh, only in the place that was previewed, and as root
// there where the command needs it.
#pragma once

#include "app/changes/transport/command_result.h"
#include "app/remote/ssh_command.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

/// Runs the words that start ssh; blocks.
using RunSsh =
    std::function<CommandResult(const std::vector<std::string>& words, SshManner manner, const std::stop_token& stop)>;

/// Prefix of a command that needs root there: sudo without a prompt, unless the login is root.
std::vector<std::string> remoteRights();

/// Runs words on the host behind `address`, unless it has another boot or another network namespace than `place`.
/// Failures of ssh and sudo become CommandResult::failure; whether the words ran may be unknown (isLost).
RunCommand runOnHost(std::string address, const Place& place, SshManner manner, RunSsh run);

}  // namespace tcpscope
