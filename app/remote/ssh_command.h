// How the user's own ssh is started, whatever it is to run: its options, its address, and whom it may ask.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/remote/ssh_address.h"

namespace tcpscope {

/// How ssh deals with the person.
enum class SshManner : std::uint8_t {
  /// It asks for what it needs and says on standard error what went wrong.
  inTerminal,
  /// It prompts for what it needs; its standard error is kept for the caller.
  asking,
  /// It never prompts, neither in a terminal nor in a window, but fails instead. Its standard error is kept.
  alone
};

/// Program and arguments, up to the host: what is to run there comes behind, and is joined by blanks for a shell there.
/// Where the address names a network namespace, that is a program with its arguments and begins with no word of a
/// shell, because ip-netns(8) starts it. A host that is silent for a quarter of a minute is given up.
std::vector<std::string> sshWords(const SshAddress& address, SshManner manner);

/// What `words` are behind sshWords() so that they arrive as they are: a word each (forShell).
std::vector<std::string> wordsForThere(const std::vector<std::string>& words);

/// The environment variable ("NAME=VALUE") of an ssh that must not prompt. A jump host's ssh does not see BatchMode,
/// but without a terminal (a session of its own) and without an askpass window it cannot prompt, either.
inline constexpr const char* kNoAskpass = "SSH_ASKPASS_REQUIRE=never";

}  // namespace tcpscope
