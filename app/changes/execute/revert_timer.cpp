#include "app/changes/execute/revert_timer.h"

#include <cerrno>
#include <ctime>

#include "app/changes/execute/detached_process.h"

namespace tcpscope {

namespace {

void sleepUntil(Nanoseconds deadline) {
  const timespec until{deadline.count() / kNanosecondsPerSecond, deadline.count() % kNanosecondsPerSecond};
  while (clock_nanosleep(CLOCK_BOOTTIME, TIMER_ABSTIME, &until, nullptr) == EINTR) {
  }
}

}  // namespace

Nanoseconds bootTime() {
  timespec time{};
  clock_gettime(CLOCK_BOOTTIME, &time);
  return Nanoseconds(time.tv_sec * kNanosecondsPerSecond + time.tv_nsec);
}

int startRevertTimer(Nanoseconds deadline, const std::function<void()>& expire) {
  return startDetached([&] {
    sleepUntil(deadline);
    expire();
  });
}

}  // namespace tcpscope
