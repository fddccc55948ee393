// An agent in a child process of the test, behind two pipes: here, or inside a host's namespace. Its end is the
// object's, or the host's.
#pragma once

#include <fcntl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <functional>
#include <stdexcept>

#include "tests/support/network_host.h"

namespace tcpscope::test {

class AgentProcess {
public:
  using Program = std::function<void(int requests, int frames)>;

  explicit AgentProcess(const Program& program) {
    openPipes();
    m_child = fork();
    if (m_child == 0) {
      runIn(program);
      _exit(0);
    }
    closeFarEnds();
  }
  AgentProcess(const Program& program, NetworkHost& host) {
    openPipes();
    host.start([&] { runIn(program); });
    closeFarEnds();
  }
  AgentProcess(const AgentProcess&) = delete;
  AgentProcess& operator=(const AgentProcess&) = delete;
  ~AgentProcess() {
    closeRequests();
    ::close(m_frames);
    end();
  }

  [[nodiscard]] int frames() const { return m_frames; }
  [[nodiscard]] int requests() const { return m_requests; }
  void closeRequests() {
    if (m_requests >= 0) ::close(m_requests);
    m_requests = -1;
  }
  /// The program's exit code, -1 when a signal ended it.
  int wait() {
    int status = 0;
    if (m_child < 0 || waitpid(m_child, &status, 0) != m_child) return -1;
    m_child = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  void end() {
    if (m_child < 0) return;
    ::kill(m_child, SIGKILL);
    wait();
  }

private:
  void openPipes() {
    if (pipe2(m_framePipe.data(), O_CLOEXEC) != 0 || pipe2(m_requestPipe.data(), O_CLOEXEC) != 0) {
      throw std::runtime_error("a test without pipes");
    }
    m_frames = m_framePipe[0];
    m_requests = m_requestPipe[1];
  }
  void runIn(const Program& program) const {
    ::close(m_framePipe[0]);
    ::close(m_requestPipe[1]);
    program(m_requestPipe[0], m_framePipe[1]);
  }
  void closeFarEnds() const {
    ::close(m_framePipe[1]);
    ::close(m_requestPipe[0]);
  }

  std::array<int, 2> m_framePipe{};
  std::array<int, 2> m_requestPipe{};
  int m_frames = -1;
  int m_requests = -1;
  pid_t m_child = -1;
};

}  // namespace tcpscope::test
