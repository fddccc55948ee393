#include "app/changes/execute/revert_timer.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <ctime>

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
  const pid_t child = fork();
  if (child < 0) return errno;
  if (child > 0) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : ECHILD;
  }
  // A grandchild is reaped by init and cannot acquire a terminal.
  const pid_t timer = fork();
  if (timer != 0) _exit(timer < 0 ? errno : 0);
  leaveCaller();
  sleepUntil(deadline);
  expire();
  _exit(0);
}

}  // namespace tcpscope
