// A program that is run to its end for what it says.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/changes/transport/command_result.h"
#include "core/base/units.h"

namespace tcpscope {

/// Runs a program to its end; blocks. Ends it when a stop is asked for.
CommandResult runCommand(const std::vector<std::string>& words, const std::stop_token& stop);

struct CommandManner {
  /// It has no terminal and opens no window to ask in.
  bool isUnattended = false;
  /// Ended where it takes longer; absent: as long as it takes.
  std::optional<Milliseconds> timeout;
};
/// The same. One that says more than a mebibyte is ended, too.
CommandResult runCommandAs(const CommandManner& manner, const std::vector<std::string>& words,
                           const std::stop_token& stop);

}  // namespace tcpscope
