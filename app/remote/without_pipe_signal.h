// An agent that is gone must not end this program with it: while one of these lives, a write to it only fails.
//
// For the thread that makes it, which also has to end it.
#pragma once

#include <csignal>

namespace tcpscope {

class WithoutPipeSignal {
public:
  WithoutPipeSignal() {
    sigemptyset(&m_pipe);
    sigaddset(&m_pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &m_pipe, &m_before);
  }
  ~WithoutPipeSignal() {
    // One that waits would come as soon as it may.
    const timespec now{};
    while (sigismember(&m_before, SIGPIPE) == 0 && sigtimedwait(&m_pipe, nullptr, &now) >= 0) {
    }
    pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
  }
  WithoutPipeSignal(const WithoutPipeSignal&) = delete;
  WithoutPipeSignal& operator=(const WithoutPipeSignal&) = delete;

private:
  sigset_t m_pipe{};
  sigset_t m_before{};
};

}  // namespace tcpscope
