// Runs a program as a user or a script does: its words, its output, its exit code.
#pragma once

#include <string>
#include <vector>

namespace tcpscope::test {

struct Outcome {
  /// -1 where the program did not start or was ended by a signal.
  int code = -1;
  std::string out;
  std::string error;
  /// The most that was resident at once.
  std::size_t peakBytes = 0;
};

/// Runs `program` to its end, without standard input's terminal.
Outcome runProgram(const std::string& program, std::vector<std::string> words);

/// The command line program.
Outcome runCommandLine(std::vector<std::string> words);

/// Is it one line and nothing else?
bool isOneLine(const std::string& text);

}  // namespace tcpscope::test
