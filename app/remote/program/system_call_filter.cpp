#include "app/remote/program/system_call_filter.h"

#include <fcntl.h>
#include <linux/nsfs.h>
#include <linux/sched.h>
#include <linux/sockios.h>
#include <seccomp.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <memory>

namespace tcpscope {

#ifndef TCPSCOPE_NO_SYSTEM_CALL_FILTER
namespace {

/// Each with any arguments.
constexpr std::array kAllowed = {
    // Memory, threads, signals, the end. Name services are libraries that are loaded when first used.
    SCMP_SYS(brk), SCMP_SYS(mmap), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(mprotect), SCMP_SYS(madvise),
    SCMP_SYS(futex), SCMP_SYS(membarrier), SCMP_SYS(rseq), SCMP_SYS(set_robust_list), SCMP_SYS(set_tid_address),
    SCMP_SYS(arch_prctl), SCMP_SYS(prctl), SCMP_SYS(prlimit64), SCMP_SYS(sched_yield), SCMP_SYS(sched_getaffinity),
    SCMP_SYS(sched_setscheduler), SCMP_SYS(sched_getscheduler), SCMP_SYS(sched_getparam), SCMP_SYS(sched_setattr),
    SCMP_SYS(sched_getattr), SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sigaltstack), SCMP_SYS(restart_syscall), SCMP_SYS(tgkill), SCMP_SYS(exit), SCMP_SYS(exit_group),
    // Who and when.
    SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(getuid), SCMP_SYS(geteuid), SCMP_SYS(getgid), SCMP_SYS(getegid),
    SCMP_SYS(uname), SCMP_SYS(sysinfo), SCMP_SYS(getrandom), SCMP_SYS(getcpu), SCMP_SYS(time), SCMP_SYS(gettimeofday),
    SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(clock_nanosleep), SCMP_SYS(nanosleep),
    // Descriptors.
    SCMP_SYS(read), SCMP_SYS(pread64), SCMP_SYS(readv), SCMP_SYS(write), SCMP_SYS(writev), SCMP_SYS(close),
    SCMP_SYS(lseek), SCMP_SYS(dup), SCMP_SYS(fcntl), SCMP_SYS(poll), SCMP_SYS(ppoll), SCMP_SYS(select),
    SCMP_SYS(pselect6), SCMP_SYS(epoll_create1), SCMP_SYS(epoll_ctl), SCMP_SYS(epoll_wait), SCMP_SYS(epoll_pwait),
    SCMP_SYS(epoll_pwait2), SCMP_SYS(eventfd2), SCMP_SYS(timerfd_create), SCMP_SYS(timerfd_settime),
    // Files; open and openat below.
    SCMP_SYS(stat), SCMP_SYS(fstat), SCMP_SYS(lstat), SCMP_SYS(newfstatat), SCMP_SYS(statx), SCMP_SYS(statfs),
    SCMP_SYS(fstatfs), SCMP_SYS(access), SCMP_SYS(faccessat), SCMP_SYS(faccessat2), SCMP_SYS(readlink),
    SCMP_SYS(readlinkat), SCMP_SYS(getdents64), SCMP_SYS(getcwd),
    // Sockets of the families below. Connections are read through duplicates of their processes' descriptors: nothing
    // ends them (shutdown), and no option of TCP is set.
    SCMP_SYS(bind), SCMP_SYS(connect), SCMP_SYS(getsockname), SCMP_SYS(getpeername), SCMP_SYS(sendto),
    SCMP_SYS(sendmsg), SCMP_SYS(sendmmsg), SCMP_SYS(recvfrom), SCMP_SYS(recvmsg), SCMP_SYS(recvmmsg),
    SCMP_SYS(getsockopt), SCMP_SYS(pidfd_open), SCMP_SYS(pidfd_getfd)};

/// The same, for the children that enter namespaces and what they are asked through.
constexpr std::array kAllowedForChildren = {SCMP_SYS(wait4), SCMP_SYS(waitid), SCMP_SYS(pipe2)};

/// What a child of the C library's fork() has none of: it shares nothing and has no namespace of its own.
constexpr scmp_datum_t kSharingFlags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_PARENT |
                                       CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER |
                                       CLONE_NEWPID | CLONE_NEWNET;

constexpr scmp_datum_t kWritingFlags = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;

/// The macros of seccomp.h are compound literals, which C++ does not have.
constexpr scmp_arg_cmp isEqual(unsigned argument, scmp_datum_t value) {
  return {argument, SCMP_CMP_EQ, value, 0};
}
constexpr scmp_arg_cmp isEqualUnderMask(unsigned argument, scmp_datum_t mask, scmp_datum_t value) {
  return {argument, SCMP_CMP_MASKED_EQ, mask, value};
}

struct ReleaseFilter {
  void operator()(void* filter) const { seccomp_release(filter); }
};

/// 0, or a negative errno.
int addRules(scmp_filter_ctx filter, EnteredNamespaces namespaces) {
  int failure = 0;
  const auto add = [&](std::uint32_t action, int call, auto... arguments) {
    if (failure != 0) return;
    const std::array<scmp_arg_cmp, sizeof...(arguments)> all = {arguments...};
    failure = seccomp_rule_add_array(filter, action, call, static_cast<unsigned>(all.size()), all.data());
    // A call that this processor does not have.
    if (failure == -EDOM) failure = 0;
  };
  for (const int call : kAllowed) add(SCMP_ACT_ALLOW, call);
  // Reading alone.
  add(SCMP_ACT_ALLOW, SCMP_SYS(open), isEqualUnderMask(1, kWritingFlags, 0));
  add(SCMP_ACT_ALLOW, SCMP_SYS(openat), isEqualUnderMask(2, kWritingFlags, 0));
  // sock_diag and rtnetlink; the name services' daemons.
  for (const scmp_datum_t family : {scmp_datum_t{AF_NETLINK}, scmp_datum_t{AF_UNIX}}) {
    add(SCMP_ACT_ALLOW, SCMP_SYS(socket), isEqual(0, family));
  }
  // The buffer of netlink sockets and their groups.
  add(SCMP_ACT_ALLOW, SCMP_SYS(setsockopt), isEqual(1, SOL_SOCKET), isEqual(2, SO_RCVBUF));
  add(SCMP_ACT_ALLOW, SCMP_SYS(setsockopt), isEqual(1, SOL_NETLINK));
  // What drivers report of their interfaces.
  add(SCMP_ACT_ALLOW, SCMP_SYS(ioctl), isEqual(1, SIOCETHTOOL));
  // Threads, no processes. The flags of clone3 are behind a pointer: without it the C library uses clone.
  add(SCMP_ACT_ALLOW, SCMP_SYS(clone), isEqualUnderMask(0, CLONE_THREAD, CLONE_THREAD));
  add(SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3));
  if (namespaces == EnteredNamespaces::none) return failure;
  for (const int call : kAllowedForChildren) add(SCMP_ACT_ALLOW, call);
  add(SCMP_ACT_ALLOW, SCMP_SYS(clone), isEqualUnderMask(0, kSharingFlags, 0));
  add(SCMP_ACT_ALLOW, SCMP_SYS(setns), isEqual(1, CLONE_NEWNET));
  add(SCMP_ACT_ALLOW, SCMP_SYS(setns), isEqual(1, CLONE_NEWUSER));
  // Who owns a namespace; what its child has opened.
  add(SCMP_ACT_ALLOW, SCMP_SYS(ioctl), isEqual(1, NS_GET_USERNS));
  add(SCMP_ACT_ALLOW, SCMP_SYS(socketpair), isEqual(0, AF_UNIX));
  return failure;
}

}  // namespace
#endif

int restrictSystemCalls([[maybe_unused]] EnteredNamespaces namespaces) {
#ifdef TCPSCOPE_NO_SYSTEM_CALL_FILTER
  return 0;
#else
  const std::unique_ptr<void, ReleaseFilter> filter(seccomp_init(SCMP_ACT_ERRNO(EPERM)));
  if (!filter) return ENOMEM;
  if (const int failure = seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_TSYNC, 1); failure != 0) return -failure;
  if (const int failure = addRules(filter.get(), namespaces); failure != 0) return -failure;
  return -seccomp_load(filter.get());
#endif
}

}  // namespace tcpscope
