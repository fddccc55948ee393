#include "app/remote/ssh_command.h"

#include "core/base/escape.h"

namespace tcpscope {

namespace {

/// As NetworkNamespace::parse: a number is a PID.
std::string fileOfNamespace(const std::string& nameOrPid) {
  const bool isPid = nameOrPid.find_first_not_of("0123456789") == std::string::npos;
  return isPid ? "/proc/" + nameOrPid + "/ns/net" : "/run/netns/" + nameOrPid;
}

}  // namespace

std::vector<std::string> sshWords(const SshAddress& address, SshManner manner) {
  std::vector<std::string> words = {"ssh", "-TC", "-oServerAliveInterval=5", "-oServerAliveCountMax=3"};
  if (manner == SshManner::alone) words.insert(words.end(), {"-oBatchMode=yes", "-oConnectTimeout=10"});
  // A quieter log level would not distinguish a refusal from an unreachable host.
  if (manner != SshManner::inTerminal) words.emplace_back("-oLogLevel=ERROR");
  if (!address.user.empty()) words.insert(words.end(), {"-l", address.user});
  if (!address.port.empty()) words.insert(words.end(), {"-p", address.port});
  words.insert(words.end(), {"--", address.host});
  if (!address.networkNamespace.empty()) {
    words.insert(words.end(), {"nsenter", "--net=" + fileOfNamespace(address.networkNamespace)});
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
