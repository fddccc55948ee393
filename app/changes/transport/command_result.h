// The result of a program that was run to its end, and the function that runs one: what the command line transports
// need from the process that uses them.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/changes/change_error.h"

namespace tcpscope {

struct CommandResult {
  /// As app/cli/exit_code.h; -1 if it was ended or could not be started.
  int exitCode = -1;
  std::string output;
  std::string errorText;
  /// All, some or none of it may have been done.
  bool isLost = false;
  /// The words to run by hand instead; empty if none help.
  std::vector<std::string> manualCommand{};
  /// Set where exit code and standard error are those of ssh or sudo; replaces `errorText`.
  std::optional<ChangeError> failure{};
};

/// Runs a program to its end; blocks. Ends it on a stop request.
using RunCommand = std::function<CommandResult(const std::vector<std::string>& words, const std::stop_token& stop)>;

}  // namespace tcpscope
