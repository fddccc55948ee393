#include "app/lab/traffic/starved_process.h"

#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <ctime>

namespace tcpscope::lab {

namespace {

/// The last of those that it may run on: interrupts are served by the first as a rule.
bool stayOnOneProcessor() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return false;
  std::size_t last = CPU_SETSIZE - 1;
  while (last > 0 && !CPU_ISSET(last, &allowed)) --last;
  CPU_ZERO(&allowed);
  CPU_SET(last, &allowed);
  return sched_setaffinity(0, sizeof allowed, &allowed) == 0;
}

[[noreturn]] void computeForEver() {
  volatile unsigned steps = 0;
  while (true) steps = steps + 1;
}

Nanoseconds processorTimeOfThread() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + Nanoseconds(time.tv_nsec);
}

bool startBusyChild() {
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child != 0) return child > 0;
  const bool endsWithParent = prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent;
  if (!endsWithParent) _exit(1);
  computeForEver();
}

}  // namespace

bool starveThisProcess() {
  constexpr int kNice = 15;
  return stayOnOneProcessor() && startBusyChild() && setpriority(PRIO_PROCESS, 0, kNice) == 0;
}

void compute(Nanoseconds processorTime) {
  const Nanoseconds end = processorTimeOfThread() + processorTime;
  while (processorTimeOfThread() < end) {
  }
}

}  // namespace tcpscope::lab
