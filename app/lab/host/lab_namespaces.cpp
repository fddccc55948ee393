#include "app/lab/host/lab_namespaces.h"

#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <fstream>
#include <optional>
#include <string>

#include "app/lab/host/set_up_error.h"
#include "app/lab/host/small_file.h"

namespace tcpscope::lab {

namespace {

constexpr unsigned long kAlwaysNew = CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWUTS;

pid_t cloneWith(unsigned long flags) {
  // flags, stack, parent's and child's thread number, thread's storage: the order of x86, ARM, RISC-V and POWER.
  return static_cast<pid_t>(syscall(SYS_clone, flags | SIGCHLD, nullptr, nullptr, nullptr, nullptr));
}

bool reads(const char* path, const std::string& value) {
  return readSmallFile(path) == std::optional(value);
}

/// The sysctl that keeps users from having user namespaces, as far as is known.
std::string denyingSysctl(int errorNumber) {
  if (reads("/proc/sys/kernel/unprivileged_userns_clone", "0")) return "kernel.unprivileged_userns_clone";
  if (errorNumber == ENOSPC || reads("/proc/sys/user/max_user_namespaces", "0")) return "user.max_user_namespaces";
  constexpr const char* kApparmor = "/proc/sys/kernel/apparmor_restrict_unprivileged_userns";
  if (reads(kApparmor, "1")) return "kernel.apparmor_restrict_unprivileged_userns";
  return {};
}

LabError noUserNamespaces(int errorNumber) {
  return {LabErrorKind::noUserNamespaces, errorNumber, UntrustedText(denyingSysctl(errorNumber))};
}

Expected<void, int> mapUsers(const NamespaceChild& child) {
  const std::array<std::pair<const char*, std::string>, 3> files = {{
      {"/proc/self/setgroups", "deny"},
      {"/proc/self/uid_map", fmt::format("0 {} 1", child.user)},
      {"/proc/self/gid_map", fmt::format("0 {} 1", child.group)},
  }};
  for (const auto& [path, text] : files) {
    if (const auto written = writeSmallFile(path, text); !written) return written;
  }
  return {};
}

/// Containers hide parts of /proc, and then allow no other: the parent's shows these processes too.
void mountOwnProc() {
  if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return;
  mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr);
}

bool hasEnded(const OwnedDescriptor& process) {
  pollfd end{process.get(), POLLIN, 0};
  return poll(&end, 1, 0) != 0;
}

}  // namespace

Expected<NamespaceChild, LabError> cloneIntoLabNamespaces() {
  NamespaceChild child;
  child.user = geteuid();
  child.group = getegid();
  child.parent = OwnedDescriptor(static_cast<int>(syscall(SYS_pidfd_open, getpid(), 0)));
  if (!child.parent) return setUpError("the engine's pidfd");
  child.pid = cloneWith(kAlwaysNew | CLONE_NEWUSER);
  if (child.pid >= 0) return child;
  const int why = errno;
  if (child.user != 0) return tl::unexpected(noUserNamespaces(why));
  child.hasOwnUsers = false;
  child.pid = cloneWith(kAlwaysNew);
  if (child.pid < 0) return tl::unexpected(noUserNamespaces(why));
  return child;
}

Expected<void, LabError> settleInLabNamespaces(const NamespaceChild& child) {
  if (child.hasOwnUsers) {
    if (const auto mapped = mapUsers(child); !mapped) return tl::unexpected(noUserNamespaces(mapped.error()));
  }
  // After the change of users, which would clear it.
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return setUpError("death with the parent");
  // The kernel signals only ends to come.
  if (hasEnded(child.parent)) {
    errno = ESRCH;
    return setUpError("the engine, which has ended");
  }
  mountOwnProc();
  return {};
}

}  // namespace tcpscope::lab
