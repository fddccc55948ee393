// A network namespace for this process: settings there may be changed by anybody, and go with it.
#pragma once

#include <sched.h>
#include <unistd.h>

#include <fstream>
#include <string>

namespace tcpscope::test {

inline bool& hasOwnNamespace() {
  static bool has = false;
  return has;
}

/// For a process with a single thread. With a user namespace where it has no right to do without.
inline void enterOwnNamespace() {
  const uid_t user = geteuid();
  const gid_t group = getegid();
  hasOwnNamespace() = unshare(CLONE_NEWNET) == 0;
  if (hasOwnNamespace() || unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) return;
  std::ofstream("/proc/self/setgroups") << "deny";
  std::ofstream("/proc/self/uid_map") << "0 " + std::to_string(user) + " 1";
  std::ofstream("/proc/self/gid_map") << "0 " + std::to_string(group) + " 1";
  hasOwnNamespace() = geteuid() == 0;
}

}  // namespace tcpscope::test
