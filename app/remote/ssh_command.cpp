#include "app/remote/ssh_command.h"

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
  if (address.entersNamespace()) {
    // With the /sys of the namespace, which nsenter would not bring.
    words.insert(words.end(), {"ip", "netns", "exec", address.networkNamespace});
  }
  return words;
}

std::vector<std::string> wordsForThere(const std::vector<std::string>& words) {
  std::vector<std::string> quoted;
  quoted.reserve(words.size());
  for (const std::string& word : words) quoted.push_back(forShell(word));
  return quoted;
}

}  // namespace tcpscope
