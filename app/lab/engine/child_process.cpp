#include "app/lab/engine/child_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <limits>

#include "app/lab/host/set_up_error.h"
#include "collectors/system/child_process.h"

namespace tcpscope::lab {

namespace {

void closeAllBut(std::vector<int> keeps) {
  std::sort(keeps.begin(), keeps.end());
  unsigned first = STDERR_FILENO + 1;
  for (const int kept : keeps) {
    if (kept < 0) continue;
    const auto number = static_cast<unsigned>(kept);
    if (number < first) continue;
    if (number > first) close_range(first, number - 1, 0);
    first = number + 1;
  }
  close_range(first, std::numeric_limits<unsigned>::max(), 0);
}

}  // namespace

Expected<pid_t, LabError> startChild(const std::string& name, std::vector<int> keeps,
                                     const std::function<int()>& work) {
  auto child = ChildProcess::fork([&] {
    prctl(PR_SET_NAME, name.c_str());
    closeAllBut(std::move(keeps));
    return work();
  });
  if (!child) {
    errno = child.error().errorNumber;
    return setUpError("a process");
  }
  // The engine reaps every child that there is.
  return child->release();
}

void leaveTerminal() {
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (null < 0) return;
  dup2(null, STDIN_FILENO);
  dup2(null, STDOUT_FILENO);
  close(null);
}

}  // namespace tcpscope::lab
