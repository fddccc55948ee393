#include "app/remote/ssh_command.h"

#include <unistd.h>

#include <string_view>

#include "core/base/escape.h"

namespace tcpscope {

std::vector<std::string> sshWords(const SshAddress& address, SshManner manner) {
  std::vector<std::string> words = {"ssh", "-TC", "-oServerAliveInterval=5", "-oServerAliveCountMax=3"};
  if (manner == SshManner::alone) words.insert(words.end(), {"-oBatchMode=yes", "-oConnectTimeout=10"});
  // A quieter log level would not distinguish a refusal from an unreachable host.
  if (manner != SshManner::inTerminal) words.emplace_back("-oLogLevel=ERROR");
  if (!address.user.empty()) words.insert(words.end(), {"-l", address.user});
  if (!address.port.empty()) words.insert(words.end(), {"-p", address.port});
  words.insert(words.end(), {"--", address.host});
  return words;
}

std::vector<std::string> wordsForThere(const std::vector<std::string>& words) {
  std::vector<std::string> quoted;
  quoted.reserve(words.size());
  for (const std::string& word : words) quoted.push_back(forShell(word));
  return quoted;
}

std::vector<std::string> environmentWithoutPrompts() {
  // Jump hosts have an ssh of their own, which BatchMode does not reach: without a terminal and a helper that opens
  // windows it cannot prompt, either.
  constexpr std::string_view kNoWindow = "SSH_ASKPASS_REQUIRE=never";
  constexpr std::string_view kName = kNoWindow.substr(0, kNoWindow.find('=') + 1);
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!std::string_view(*variable).starts_with(kName)) variables.emplace_back(*variable);
  }
  variables.emplace_back(kNoWindow);
  return variables;
}

}  // namespace tcpscope
