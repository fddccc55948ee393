// Runs a program on a terminal of its own (a pty), as a user would: what it shows, which keys it gets, and
// in what state it leaves the terminal.
#pragma once

#include <sys/types.h>
#include <termios.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tcpscope::test {

class TerminalProgram {
public:
  /// Throws std::runtime_error where there is no pty.
  TerminalProgram(const std::string& program, std::vector<std::string> words, unsigned short rows,
                  unsigned short columns);
  TerminalProgram(const TerminalProgram&) = delete;
  TerminalProgram& operator=(const TerminalProgram&) = delete;
  ~TerminalProgram();

  /// Reads until `text` was shown; false when that does not happen in a generous time.
  bool waitForText(std::string_view text);
  void type(std::string_view keys);
  /// The exit code once the program has ended, and everything shown was read.
  std::optional<int> waitForEnd();

  /// Everything shown so far, with its control sequences.
  [[nodiscard]] const std::string& shown() const { return m_shown; }
  /// How the terminal is set now.
  [[nodiscard]] termios settings() const;

private:
  bool readOn(std::chrono::milliseconds atMost);

  int m_terminal = -1;
  /// The program's end, held open so that its settings can be read after the program.
  int m_line = -1;
  pid_t m_child = -1;
  std::string m_shown;
};

}  // namespace tcpscope::test
