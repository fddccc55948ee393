#include "app/session/request_mailbox.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>

namespace tcpscope {

Expected<std::unique_ptr<RequestMailbox>, SystemError> RequestMailbox::open(const CollectorRequest& first) {
  const int descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (descriptor < 0) return Unexpected<SystemError>({SystemAttempt::openWakeDescriptor, errno, {}});
  return std::unique_ptr<RequestMailbox>(new RequestMailbox(descriptor, first));
}

RequestMailbox::~RequestMailbox() {
  ::close(m_descriptor);
}

void RequestMailbox::post(const CollectorRequest& request) {
  {
    const std::lock_guard lock(m_mutex);
    m_request = request;
  }
  wake();
}

void RequestMailbox::wake() const {
  const int before = errno;
  const std::uint64_t one = 1;
  // It can only fail when the counter is full: then the descriptor is readable already.
  if (::write(m_descriptor, &one, sizeof one) < 0) errno = before;
}

CollectorRequest RequestMailbox::take() {
  // Emptied before the request is read: a post in between leaves it readable, never unread.
  std::uint64_t count = 0;
  while (::read(m_descriptor, &count, sizeof count) < 0 && errno == EINTR) {
  }
  const std::lock_guard lock(m_mutex);
  return m_request;
}

}  // namespace tcpscope
