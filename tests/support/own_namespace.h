// A network namespace for this process: its settings need no privileges to change, and vanish with it.
#pragma once

#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <string>

namespace tcpscope::test {

inline bool& hasOwnNamespace() {
  static bool has = false;
  return has;
}

/// The loopback device of a new namespace is down.
inline void raiseLoopback() {
  const int socket = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  ifreq request{};
  std::memcpy(request.ifr_name, "lo", sizeof "lo");
  if (ioctl(socket, SIOCGIFFLAGS, &request) == 0) {
    request.ifr_flags = static_cast<short>(request.ifr_flags | IFF_UP);
    ioctl(socket, SIOCSIFFLAGS, &request);
  }
  close(socket);
}

/// For a process with a single thread. With a user namespace where it has no right to do without.
inline void enterOwnNamespace() {
  const uid_t user = geteuid();
  const gid_t group = getegid();
  hasOwnNamespace() = unshare(CLONE_NEWNET) == 0;
  if (hasOwnNamespace()) return raiseLoopback();
  if (unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) return;
  std::ofstream("/proc/self/setgroups") << "deny";
  std::ofstream("/proc/self/uid_map") << "0 " + std::to_string(user) + " 1";
  std::ofstream("/proc/self/gid_map") << "0 " + std::to_string(group) + " 1";
  hasOwnNamespace() = geteuid() == 0;
  if (hasOwnNamespace()) raiseLoopback();
}

}  // namespace tcpscope::test
