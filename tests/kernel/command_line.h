// Runs the command-line program as a user would and reads its document.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tcpscope::test {

struct CommandResult {
  int exitCode = -1;
  std::string output;
};

/// Runs `tcpscope-cli` with these words; standard error is left to the test's own.
CommandResult runCommandLine(const std::vector<std::string>& words);

/// The same, its output read as JSON; null where it is none.
nlohmann::json documentOf(const std::vector<std::string>& words);

}  // namespace tcpscope::test
