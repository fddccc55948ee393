#include "app/lab/path/prompt_scheduling.h"

#include <linux/sched.h>
#include <linux/sched/types.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace tcpscope::lab {

namespace {

bool ask(std::uint32_t policy, std::uint32_t priority, std::uint64_t sliceNanoseconds) {
  sched_attr wanted{};
  wanted.size = sizeof wanted;
  wanted.sched_policy = policy;
  wanted.sched_priority = priority;
  wanted.sched_runtime = sliceNanoseconds;
  // Programs started by this process do not inherit it.
  wanted.sched_flags = SCHED_FLAG_RESET_ON_FORK;
  return syscall(SYS_sched_setattr, 0, &wanted, 0) == 0;
}

}  // namespace

void askForPromptScheduling() {
  constexpr std::uint64_t kShortestSlice = 100'000;
  prctl(PR_SET_TIMERSLACK, 1UL, 0, 0, 0);
  // The lowest of the real-time priorities; the kernel keeps 5 % of the time for all others.
  if (!ask(SCHED_FIFO, 1, 0)) ask(SCHED_NORMAL, 0, kShortestSlice);
}

}  // namespace tcpscope::lab
