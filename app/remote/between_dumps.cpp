#include "app/remote/between_dumps.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>
#include <utility>

namespace tcpscope {

BetweenDumps::BetweenDumps(RequestSource& inner, std::function<void()> work,
                           std::function<void(const CollectorRequest&)> request)
    : m_inner(inner),
      m_work(std::move(work)),
      m_passRequest(std::move(request)),
      m_epoll(epoll_create1(EPOLL_CLOEXEC)),
      m_due(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  epoll_event wanted{};
  wanted.events = EPOLLIN;
  epoll_ctl(m_epoll.get(), EPOLL_CTL_ADD, m_inner.wakeDescriptor(), &wanted);
  epoll_ctl(m_epoll.get(), EPOLL_CTL_ADD, m_due.get(), &wanted);
}

void BetweenDumps::makeDue() {
  const std::uint64_t one = 1;
  // It can only fail when the counter is full: then the work is due already.
  if (::write(m_due.get(), &one, sizeof one) < 0) return;
}

CollectorRequest BetweenDumps::take() {
  std::uint64_t count = 0;
  if (::read(m_due.get(), &count, sizeof count) > 0) m_work();
  CollectorRequest request = m_inner.take();
  m_passRequest(request);
  return request;
}

}  // namespace tcpscope
