// What a machine, or a mistake in a scenario, may refuse to a host.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>

#include <cerrno>

#include "app/lab/host/small_file.h"
#include "app/lab/host/sysctl_writer.h"
#include "tests/app/lab/running_lab.h"

namespace tcpscope::lab {
namespace {

class HostTest : public test::RunningLab {
protected:
  void SetUp() override { start(test::twoHosts()); }

  /// Of a host with this sysctl.
  static LabError refusal(const std::string& key, const std::string& value) {
    Scenario scenario = test::twoHosts();
    scenario.hosts[0].sysctls = {{key, value}};
    const auto started = LabProcess::start(scenario);
    return started ? LabError{LabErrorKind::engineEnded, 0, UntrustedText("nothing was refused")} : started.error();
  }
};

TEST_F(HostTest, TakesASysctl) {
  if (!lab()) return;
  EXPECT_EQ(refusal("net.ipv4.tcp_rmem", "4096 16384  65536").object.rawBytes(), "nothing was refused");
}

TEST_F(HostTest, SaysWhichSysctlDoesNotExist) {
  if (!lab()) return;
  const LabError error = refusal("net.ipv4.tcp_no_such_key", "1");
  EXPECT_EQ(error.kind, LabErrorKind::sysctlRefused);
  EXPECT_EQ(error.errorNumber, ENOENT);
  EXPECT_EQ(error.object.rawBytes(), "net.ipv4.tcp_no_such_key");
}

TEST_F(HostTest, SaysWhichSysctlIsReadOnlyInsideANamespace) {
  if (!lab()) return;
  const LabError error = refusal("net.ipv4.tcp_allowed_congestion_control", "reno");
  EXPECT_EQ(error.kind, LabErrorKind::sysctlRefused);
  EXPECT_TRUE(error.errorNumber == EACCES || error.errorNumber == EPERM || error.errorNumber == EROFS);
}

TEST_F(HostTest, SaysWhichValueTheKernelRefuses) {
  if (!lab()) return;
  EXPECT_EQ(refusal("net.ipv4.tcp_sack", "maybe").errorNumber, EINVAL);
}

TEST_F(HostTest, SeesAValueThatTheKernelTookOnlyInPart) {
  if (!lab()) return;
  EXPECT_EQ(refusal("net.ipv4.tcp_rmem", "4096 16384 65536 1").errorNumber, 0) << "a fourth number is dropped";
  EXPECT_EQ(refusal("net.ipv4.tcp_rmem", "4096 16384").errorNumber, 0) << "the third stays as it was";
}

TEST_F(HostTest, WritesNoSysctlOutsideOfTheNetwork) {
  for (const char* key : {"kernel.hostname", "net...kernel.hostname", "net/../kernel/hostname"}) {
    const auto written = writeSysctl(key, "x");
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().errorNumber, ENOENT);
  }
}

/// In a user namespace that allows no further one, as a user without rights: 0 when the lab says what denies it.
int tryWhereUserNamespacesAreDenied() {
  const uid_t user = geteuid();
  if (unshare(CLONE_NEWUSER) != 0) return 1;
  if (!writeSmallFile("/proc/self/uid_map", "1000 " + std::to_string(user) + " 1")) return 2;
  if (!writeSmallFile("/proc/sys/user/max_user_namespaces", "0")) return 3;
  const auto started = LabProcess::start(test::twoHosts());
  if (started) return 4;
  const LabError& error = started.error();
  if (error.kind != LabErrorKind::noUserNamespaces) return 5;
  return error.object.rawBytes() == "user.max_user_namespaces" ? 0 : 6;
}

TEST_F(HostTest, SaysWhichSysctlDeniesUserNamespaces) {
  if (!lab()) return;
  const pid_t child = fork();
  if (child == 0) _exit(tryWhereUserNamespacesAreDenied());
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace tcpscope::lab
