// A program that is run to its end for what it says.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/units.h"

namespace tcpscope {

struct CommandAnswer {
  /// As app/cli/exit_code.h; -1 where it was ended or could not be started.
  int exitCode = -1;
  std::string output;
  std::string errorText;
  /// It may have done all of it, some or nothing.
  bool isLost = false;
  /// The words to run by hand instead; empty where nothing of the kind helps.
  std::vector<std::string> byHand{};
};

/// Runs a program to its end; blocks. Ends it when a stop is asked for.
using RunCommand = std::function<CommandAnswer(const std::vector<std::string>& words, const std::stop_token& stop)>;
CommandAnswer runCommand(const std::vector<std::string>& words, const std::stop_token& stop);

struct CommandManner {
  /// It has no terminal and opens no window to ask in.
  bool asksNobody = false;
  /// Ended where it takes longer; absent: as long as it takes.
  std::optional<Milliseconds> patience;
};
/// The same. One that says more than a mebibyte is ended, too.
CommandAnswer runCommandAs(const CommandManner& manner, const std::vector<std::string>& words,
                           const std::stop_token& stop);

}  // namespace tcpscope
