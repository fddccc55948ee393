#include "collectors/sock_diag/thread_punctuality.h"

#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace tcpscope {

namespace {

constexpr unsigned long kTimerSlackNs = 1;
/// The shortest that the kernel takes; a sample needs a fifth of it.
constexpr std::uint64_t kSliceNs = 100'000;

/// struct sched_attr (include/uapi/linux/sched/types.h) in its first size; glibc 2.36 has neither it nor the call.
struct SchedulingAttributes {
  std::uint32_t size = sizeof(SchedulingAttributes);
  std::uint32_t policy = SCHED_OTHER;
  std::uint64_t flags = 0;
  std::int32_t nice = 0;
  std::uint32_t priority = 0;
  std::uint64_t runtimeNs = 0;
  std::uint64_t deadlineNs = 0;
  std::uint64_t periodNs = 0;
};
static_assert(sizeof(SchedulingAttributes) == 48);

}  // namespace

void becomePunctual() {
  prctl(PR_SET_TIMERSLACK, kTimerSlackNs, 0, 0, 0);
  SchedulingAttributes attributes;
  if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0) return;
  // A thread that was given another policy keeps it.
  if (attributes.policy != SCHED_OTHER) return;
  attributes.runtimeNs = kSliceNs;
  syscall(SYS_sched_setattr, 0, &attributes, 0);
}

void becomeRealTime() {
  if (sched_getscheduler(0) != SCHED_OTHER) return;
  const sched_param lowest{1};
  sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &lowest);
}

}  // namespace tcpscope
