// How a child process ended: it exited with a code, or a signal killed it.
#pragma once

#include <sys/wait.h>

#include <optional>

namespace tcpscope {

class ExitStatus {
public:
  /// Unknown: the kernel keeps no status where SIGCHLD is ignored.
  ExitStatus() = default;
  /// As waitpid(2) reports it.
  explicit ExitStatus(int waitStatus) : m_waitStatus(waitStatus) {}

  /// Absent where a signal killed the process, or how it ended is unknown.
  [[nodiscard]] std::optional<int> code() const {
    if (!m_waitStatus || !WIFEXITED(*m_waitStatus)) return std::nullopt;
    return WEXITSTATUS(*m_waitStatus);
  }
  [[nodiscard]] std::optional<int> signal() const {
    if (!m_waitStatus || !WIFSIGNALED(*m_waitStatus)) return std::nullopt;
    return WTERMSIG(*m_waitStatus);
  }
  [[nodiscard]] bool isSuccess() const { return code() == 0; }

private:
  std::optional<int> m_waitStatus;
};

}  // namespace tcpscope
