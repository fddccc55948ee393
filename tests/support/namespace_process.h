// A process in a network namespace of its own, for tests that look into it from outside. Ends with the object.
#pragma once

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

namespace tcpscope::test {

class NamespaceProcess {
public:
  /// In the child, which has a single thread: `enter` enters the namespace and gives what is to be held there, or
  /// something false where it could not.
  template <class Enter>
  explicit NamespaceProcess(const Enter& enter) {
    if (pipe(m_ready) != 0) return;
    m_child = fork();
    if (m_child == 0) {
      const auto held = enter();
      const char works = held ? 'y' : 'n';
      const ssize_t written = write(m_ready[1], &works, 1);
      while (written == 1) pause();
      _exit(1);
    }
    char works = 'n';
    m_isThere = m_child > 0 && read(m_ready[0], &works, 1) == 1 && works == 'y';
  }
  NamespaceProcess(const NamespaceProcess&) = delete;
  NamespaceProcess& operator=(const NamespaceProcess&) = delete;
  ~NamespaceProcess() {
    if (m_child > 0) {
      kill(m_child, SIGKILL);
      waitpid(m_child, nullptr, 0);
    }
    close(m_ready[0]);
    close(m_ready[1]);
  }

  /// This machine allows network namespaces.
  [[nodiscard]] bool isThere() const { return m_isThere; }
  [[nodiscard]] std::string pid() const { return std::to_string(m_child); }

private:
  int m_ready[2] = {-1, -1};
  pid_t m_child = -1;
  bool m_isThere = false;
};

}  // namespace tcpscope::test
