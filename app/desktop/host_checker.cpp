#include "app/desktop/host_checker.h"

#include "app/desktop/background_work.h"

namespace tcpscope {

void HostChecker::look() {
  take();
  if (m_pending.valid()) return;
  m_pending = postTo(m_background, [readHost = m_readHost](const std::stop_token&) { return readHost(); });
}

void HostChecker::startAnew() {
  take();
  m_first.reset();
}

std::shared_ptr<const HostCheckupState> HostChecker::state() {
  take();
  return m_state;
}

void HostChecker::take() {
  if (!isThere(m_pending)) return;
  HostReading reading = m_pending.get();
  if (!m_first) {
    m_first = std::move(reading);
    return;
  }
  m_state = std::make_shared<HostCheckupState>(HostCheckupState{checkUp(*m_first, reading), reading.at - m_first->at});
}

}  // namespace tcpscope
