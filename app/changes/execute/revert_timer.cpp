#include "app/changes/execute/revert_timer.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <ctime>

#include "collectors/system/child_process.h"

namespace tcpscope {

namespace {

void leaveCaller() {
  setsid();
  std::signal(SIGHUP, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  if (chdir("/") != 0) _exit(1);
  const int nothing = open("/dev/null", O_RDWR);
  for (int standard = 0; standard <= STDERR_FILENO; ++standard) dup2(nothing, standard);
  // Among them the lock of the journal, which a duplicate would hold.
  close_range(STDERR_FILENO + 1, ~0U, 0);
  prctl(PR_SET_NAME, "tcpscope-revert");
}

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
  // A grandchild is reaped by init and cannot acquire a terminal.
  auto child = ChildProcess::fork([&] {
    auto timer = ChildProcess::fork([&] {
      leaveCaller();
      sleepUntil(deadline);
      expire();
      return 0;
    });
    if (!timer) return timer.error().errorNumber;
    timer->release();
    return 0;
  });
  if (!child) return child.error().errorNumber;
  return child->wait().code().value_or(ECHILD);
}

}  // namespace tcpscope
