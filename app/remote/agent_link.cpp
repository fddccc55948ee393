#include "app/remote/agent_link.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace tcpscope {

Expected<std::shared_ptr<AgentLink>, SystemError> AgentLink::open() {
  OwnedDescriptor wake(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake) return Unexpected<SystemError>({SystemAttempt::openWakeDescriptor, errno, {}});
  return std::shared_ptr<AgentLink>(new AgentLink(std::move(wake)));
}

LinkState AgentLink::state() const {
  const std::lock_guard lock(m_mutex);
  return m_state;
}

void AgentLink::report(LinkState state) {
  const std::lock_guard lock(m_mutex);
  m_state = std::move(state);
}

void AgentLink::connectNow(std::optional<AgentMeans> means) {
  if (means) {
    const std::lock_guard lock(m_mutex);
    m_means = means;
  }
  request(m_isRetryRequested);
}

void AgentLink::giveUp() {
  request(m_isGivenUp);
}

void AgentLink::request(bool& which) {
  {
    const std::lock_guard lock(m_mutex);
    which = true;
  }
  // Fails only where it is readable already.
  eventfd_write(m_wake.get(), 1);
}

void AgentLink::silence() const {
  eventfd_t count = 0;
  eventfd_read(m_wake.get(), &count);
}

bool AgentLink::isGivenUp() const {
  const std::lock_guard lock(m_mutex);
  return m_isGivenUp;
}

bool AgentLink::isRetryRequested() const {
  const std::lock_guard lock(m_mutex);
  return m_isRetryRequested;
}

bool AgentLink::takeRetryRequest() {
  const std::lock_guard lock(m_mutex);
  return std::exchange(m_isRetryRequested, false);
}

std::optional<AgentMeans> AgentLink::takeMeans() {
  const std::lock_guard lock(m_mutex);
  return std::exchange(m_means, std::nullopt);
}

}  // namespace tcpscope
