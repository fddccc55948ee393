#include "app/changes/execute/detached_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

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
  // Among them locks of the journal, which a duplicate would hold.
  close_range(STDERR_FILENO + 1, ~0U, 0);
  prctl(PR_SET_NAME, "tcpscope-revert");
}

}  // namespace

int startDetached(const std::function<void()>& work) {
  // A grandchild is reaped by init and cannot acquire a terminal.
  auto child = ChildProcess::fork([&] {
    auto detached = ChildProcess::fork([&] {
      leaveCaller();
      work();
      return 0;
    });
    if (!detached) return detached.error().errorNumber;
    detached->release();
    return 0;
  });
  if (!child) return child.error().errorNumber;
  return child->wait().code().value_or(ECHILD);
}

}  // namespace tcpscope
