#include "app/lab/traffic/starved_process.h"

#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>

namespace tcpscope::lab {

namespace {

/// The last of those that it may run on: interrupts are served by the first as a rule.
bool stayOnOneProcessor() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return false;
  int last = CPU_SETSIZE - 1;
  while (last > 0 && !CPU_ISSET(last, &allowed)) --last;
  CPU_ZERO(&allowed);
  CPU_SET(last, &allowed);
  return sched_setaffinity(0, sizeof allowed, &allowed) == 0;
}

[[noreturn]] void compute() {
  volatile unsigned steps = 0;
  while (true) steps = steps + 1;
}

bool startBusyChild() {
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child != 0) return child > 0;
  const bool endsWithParent = prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent;
  if (!endsWithParent) _exit(1);
  compute();
}

}  // namespace

bool starveThisProcess() {
  const sched_param none{};
  return stayOnOneProcessor() && startBusyChild() && sched_setscheduler(0, SCHED_IDLE, &none) == 0;
}

}  // namespace tcpscope::lab
