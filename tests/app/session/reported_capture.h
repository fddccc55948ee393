// What a capture of a connection reports, for the test's thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "app/session/connection_capture.h"

namespace tcpscope::test {

/// The newest observation of a capture, for the test's thread.
class ReportedCapture {
public:
  [[nodiscard]] ConnectionCapture::Sink sink() {
    return [this](CaptureObservation&& observed, const std::stop_token&) {
      {
        const std::lock_guard lock(m_mutex);
        m_newest = std::move(observed);
      }
      m_isThere.notify_all();
    };
  }
  /// The newest observation once the condition holds, or after a minute.
  template <class Condition>
  CaptureObservation waitFor(Condition condition) {
    std::unique_lock lock(m_mutex);
    m_isThere.wait_for(lock, std::chrono::minutes(1), [&] { return condition(m_newest); });
    return m_newest;
  }
  CaptureObservation waitForPhase(LiveCapturePhase phase) {
    return waitFor([phase](const CaptureObservation& one) { return one.state.phase == phase; });
  }

private:
  std::mutex m_mutex;
  std::condition_variable m_isThere;
  CaptureObservation m_newest;
};

}  // namespace tcpscope::test
