#include "app/desktop/change_process.h"

#include "app/desktop/command_process.h"

namespace tcpscope {

namespace {

/// With a prompt, the user may have to type a password; without, no command takes long.
constexpr Milliseconds kPromptTimeout = std::chrono::minutes(2);
constexpr Milliseconds kUnattendedTimeout = std::chrono::seconds(30);

}  // namespace

CommandResult runSsh(const std::vector<std::string>& words, SshManner manner, const std::stop_token& stop) {
  const bool isUnattended = manner == SshManner::alone;
  return runCommandAs({isUnattended, isUnattended ? kUnattendedTimeout : kPromptTimeout}, words, stop);
}

}  // namespace tcpscope
