#include "tests/support/terminal_program.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>

namespace tcpscope::test {

namespace {

constexpr std::chrono::seconds kGenerous{60};

/// What each thread of a program that does not end is doing, for the test's log.
void logThreads(pid_t program) {
  std::error_code error;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/" + std::to_string(program) + "/task", error)) {
    for (const char* file : {"comm", "syscall", "stack", "status"}) {
      std::cerr << thread.path() / file << ":\n" << std::ifstream(thread.path() / file).rdbuf() << '\n';
    }
  }
}

[[noreturn]] void runOnLine(int line, const std::string& program, std::vector<std::string>& words) {
  setsid();
  ioctl(line, TIOCSCTTY, 0);
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(line, descriptor);
  std::string name = program;
  std::vector<char*> arguments = {name.data()};
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv(program.c_str(), arguments.data());
  _exit(127);
}

}  // namespace

TerminalProgram::TerminalProgram(const std::string& program, std::vector<std::string> words, unsigned short rows,
                                 unsigned short columns)
    : m_terminal(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
  std::array<char, 128> name{};
  const bool ready = m_terminal >= 0 && grantpt(m_terminal) == 0 && unlockpt(m_terminal) == 0 &&
                     ptsname_r(m_terminal, name.data(), name.size()) == 0;
  m_line = ready ? open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC) : -1;
  if (m_line < 0) throw std::runtime_error("there is no pty");
  const winsize size{rows, columns, 0, 0};
  ioctl(m_terminal, TIOCSWINSZ, &size);
  m_child = fork();
  if (m_child == 0) runOnLine(m_line, program, words);
}

TerminalProgram::~TerminalProgram() {
  if (m_child > 0) {
    kill(m_child, SIGKILL);
    waitpid(m_child, nullptr, 0);
  }
  close(m_line);
  close(m_terminal);
}

bool TerminalProgram::readOn(std::chrono::milliseconds atMost) {
  pollfd waiting{m_terminal, POLLIN, 0};
  if (poll(&waiting, 1, static_cast<int>(atMost.count())) <= 0) return false;
  std::array<char, 4096> part{};
  const ssize_t size = read(m_terminal, part.data(), part.size());
  if (size > 0) m_shown.append(part.data(), static_cast<std::size_t>(size));
  return size > 0;
}

bool TerminalProgram::waitForText(std::string_view text) {
  const auto deadline = std::chrono::steady_clock::now() + kGenerous;
  while (m_shown.find(text) == std::string::npos) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    readOn(std::chrono::milliseconds(100));
  }
  return true;
}

void TerminalProgram::type(std::string_view keys) {
  if (write(m_terminal, keys.data(), keys.size()) != static_cast<ssize_t>(keys.size())) {
    throw std::runtime_error("cannot type on the pty");
  }
}

std::optional<int> TerminalProgram::waitForEnd() {
  const auto deadline = std::chrono::steady_clock::now() + kGenerous;
  int status = 0;
  while (waitpid(m_child, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > deadline) {
      logThreads(m_child);
      return std::nullopt;
    }
    // A program whose output is not read would wait for ever.
    readOn(std::chrono::milliseconds(20));
  }
  m_child = -1;
  while (readOn(std::chrono::milliseconds(0))) {
  }
  if (!WIFEXITED(status)) return std::nullopt;
  return WEXITSTATUS(status);
}

termios TerminalProgram::settings() const {
  termios now{};
  if (tcgetattr(m_line, &now) != 0) throw std::runtime_error("the pty has no settings");
  return now;
}

}  // namespace tcpscope::test
