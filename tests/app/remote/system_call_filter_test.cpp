// What the agent may still do once it has restricted itself, in a child each: the restriction is for good.
#include "app/remote/program/system_call_filter.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/ethtool.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pwd.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>

#include "collectors/host/host_access.h"
#include "collectors/system/child_process.h"
#include "tests/support/built_paths.h"

namespace tcpscope {
namespace {

constexpr int kNotRestricted = 255;

/// What `work` returns, which is an errno, in a restricted process.
int whenRestricted(const std::function<int()>& work, EnteredNamespaces namespaces = EnteredNamespaces::none) {
  const pid_t child = fork();
  if (child == 0) _exit(restrictSystemCalls(namespaces) == 0 ? work() : kNotRestricted);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : kNotRestricted;
}

int errnoOf(long result) {
  return result < 0 ? errno : 0;
}

#ifndef TCPSCOPE_NO_SYSTEM_CALL_FILTER

TEST(SystemCallFilter, StartsNoProgramAndNoProcess) {
  EXPECT_EQ(whenRestricted([] {
              execl("/bin/true", "true", nullptr);
              return errno;
            }),
            EPERM);
  EXPECT_EQ(whenRestricted([] { return errnoOf(fork()); }), EPERM);
}

TEST(SystemCallFilter, OpensNoConnection) {
  for (const int family : {AF_INET, AF_INET6, AF_PACKET}) {
    EXPECT_EQ(whenRestricted([family] { return errnoOf(socket(family, SOCK_STREAM, 0)); }), EPERM);
  }
}

TEST(SystemCallFilter, WritesNoFile) {
  EXPECT_EQ(whenRestricted([] { return errnoOf(open("/dev/null", O_WRONLY)); }), EPERM);
  EXPECT_EQ(whenRestricted([] { return errnoOf(open("/tmp", O_TMPFILE | O_RDWR, 0600)); }), EPERM);
  EXPECT_EQ(whenRestricted([] { return errnoOf(unlink("/nonexistent")); }), EPERM);
}

TEST(SystemCallFilter, EndsAndChangesNoConnection) {
  EXPECT_EQ(whenRestricted([] { return errnoOf(shutdown(-1, SHUT_RDWR)); }), EPERM);
  const int on = 1;
  EXPECT_EQ(whenRestricted([&] { return errnoOf(setsockopt(-1, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on)); }), EPERM);
  EXPECT_EQ(whenRestricted([&] { return errnoOf(setsockopt(-1, SOL_SOCKET, SO_SNDBUF, &on, sizeof on)); }), EPERM);
}

TEST(SystemCallFilter, ControlsNoTerminal) {
  char key = 'x';
  EXPECT_EQ(whenRestricted([&] { return errnoOf(ioctl(-1, TIOCSTI, &key)); }), EPERM);
}

TEST(SystemCallFilter, TracesNoProcessAndEntersNoNamespace) {
  EXPECT_EQ(whenRestricted([] { return errnoOf(ptrace(PTRACE_TRACEME, 0, nullptr, nullptr)); }), EPERM);
  EXPECT_EQ(whenRestricted([] { return errnoOf(setns(-1, 0)); }), EPERM);
}

TEST(SystemCallFilter, StartsNoProgramEitherWhereItsChildrenEnterNamespaces) {
  const auto inChild = [](const std::function<int()>& work) {
    return whenRestricted(
        [&work] {
          const pid_t child = fork();
          if (child < 0) return errno;
          if (child == 0) _exit(work());
          int status = 0;
          return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : kNotRestricted;
        },
        EnteredNamespaces::network);
  };
  EXPECT_EQ(inChild([] {
              execl("/bin/true", "true", nullptr);
              return errno;
            }),
            EPERM);
  EXPECT_EQ(inChild([] { return errnoOf(setns(-1, CLONE_NEWNET)); }), EBADF) << "allowed, of a descriptor";
  EXPECT_EQ(inChild([] { return errnoOf(setns(-1, CLONE_NEWNS)); }), EPERM) << "files stay those of this host";
  EXPECT_EQ(inChild([] { return errnoOf(setns(-1, 0)); }), EPERM) << "of any kind";
  EXPECT_EQ(inChild([] { return errnoOf(unshare(CLONE_NEWNET)); }), EPERM);
  EXPECT_EQ(inChild([] { return errnoOf(kill(getpid(), 0)); }), EPERM);
  EXPECT_EQ(inChild([] { return errnoOf(open("/dev/null", O_WRONLY)); }), EPERM);
}

class FilterInTheProgram : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(FilterInTheProgram, IsInForce) {
  const auto folder = std::filesystem::path(test::commandLineProgram()).parent_path();
  std::vector<std::string> words = {(folder / "tcpscope-agent").string()};
  words.insert(words.end(), GetParam().begin(), GetParam().end());
  auto agent = ChildProcess::start({.arguments = words, .input = ChildStream::pipe(), .output = ChildStream::pipe()});
  ASSERT_TRUE(agent);
  const pid_t process = agent->release();
  // It writes the hello before it restricts itself, and every poll behind that.
  bool isFiltered = false;
  for (std::array<char, 4096> bytes{}; !isFiltered && ::read(agent->output().get(), bytes.data(), bytes.size()) > 0;) {
    std::ifstream status("/proc/" + std::to_string(process) + "/status");
    for (std::string line; std::getline(status, line);) isFiltered = isFiltered || line == "Seccomp:\t2";
  }
  EXPECT_TRUE(isFiltered);
  agent->input().reset();
  int status = 0;
  waitpid(process, &status, 0);
  EXPECT_EQ(status, 0) << "it ends with its requests";
}

INSTANTIATE_TEST_SUITE_P(SystemCallFilter, FilterInTheProgram,
                         testing::Values(std::vector<std::string>(), std::vector<std::string>{"--netns=all"}));

#endif

TEST(SystemCallFilter, LeavesWhatTheAgentDoes) {
  EXPECT_EQ(whenRestricted([] { return errnoOf(socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, 4)); }), 0);
  EXPECT_EQ(whenRestricted([] { return errnoOf(open("/proc/self/stat", O_RDONLY | O_CLOEXEC)); }), 0);
  EXPECT_EQ(whenRestricted([] { return getpwuid(0) != nullptr ? 0 : ENOENT; }), 0) << "names of users";
  EXPECT_EQ(whenRestricted([] {
              ethtool_drvinfo question{};
              question.cmd = ETHTOOL_GDRVINFO;
              return ownHostAccess().ethtool("lo", &question);
            }),
            EOPNOTSUPP)
      << "loopback has no driver that answers";
  EXPECT_EQ(whenRestricted([] {
              int number = ENOENT;
              std::thread([&number] { number = 0; }).join();
              return number;
            }),
            0);
}

}  // namespace
}  // namespace tcpscope
