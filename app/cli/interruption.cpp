#include "app/cli/interruption.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>

#include "collectors/system/monotonic_clock.h"
#include "core/base/units.h"

namespace tcpscope {

namespace {

std::atomic<int> signalledDescriptor = -1;
std::atomic<bool> interrupted = false;

void onSignal(int) {
  const int before = errno;
  interrupted = true;
  const std::uint64_t one = 1;
  if (::write(signalledDescriptor, &one, sizeof one) < 0) errno = before;
}

void handle(int number, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, nullptr);
}

}  // namespace

Interruption::Interruption() : m_descriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  signalledDescriptor = m_descriptor;
  handle(SIGINT, onSignal);
  handle(SIGTERM, onSignal);
}

Interruption::~Interruption() {
  handle(SIGINT, SIG_DFL);
  handle(SIGTERM, SIG_DFL);
  signalledDescriptor = -1;
  ::close(m_descriptor);
}

bool Interruption::happened() const {
  return interrupted;
}

Interruption::Wake Interruption::waitUntil(Moment moment, int keyDescriptor) const {
  std::array<pollfd, 2> waiting = {{{m_descriptor, POLLIN, 0}, {keyDescriptor, POLLIN, 0}}};
  while (!happened()) {
    const Nanoseconds left = std::max(Nanoseconds(0), moment - monotonicNow());
    const timespec timeout{static_cast<time_t>(left.count() / 1'000'000'000), left.count() % 1'000'000'000};
    const int ready = ppoll(waiting.data(), waiting.size(), &timeout, nullptr);
    if (happened()) break;
    if (ready == 0) return Wake::time;
    if (ready > 0 && (waiting[1].revents & (POLLIN | POLLHUP)) != 0) return Wake::key;
  }
  return Wake::interrupted;
}

}  // namespace tcpscope
