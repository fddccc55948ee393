#include "collectors/probe/lab_probe.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cerrno>
#include <fstream>

#include "core/present/text/host_text.h"
#include "tests/support/capability_state.h"

namespace tcpscope {
namespace {

using test::stateOf;

TEST(LabReport, EverythingWorks) {
  const CapabilityReport report = labReport({0, 0, 0, 0, 0}, {});
  ASSERT_EQ(report.size(), kLabCapabilityCount - 1);
  for (const CapabilityState& state : report) {
    EXPECT_EQ(state.status, CapabilityStatus::works);
    EXPECT_EQ(remedyCommand(state), "");
  }
}

struct ForbiddenCase {
  LabTrial trial;
  UserNamespaceSwitches switches;
  Capability capability;
  const char* command;

  friend void PrintTo(const ForbiddenCase& one, std::ostream* out) {
    *out << (*one.command == '\0' ? "no command" : one.command);
  }
};
class Forbidden : public ::testing::TestWithParam<ForbiddenCase> {};

TEST_P(Forbidden, IsMissingAndHasTheCommandThatMendsIt) {
  const CapabilityState state = stateOf(labReport(GetParam().trial, GetParam().switches), GetParam().capability);
  EXPECT_EQ(state.status, CapabilityStatus::missing);
  EXPECT_EQ(remedyCommand(state), GetParam().command);
}

constexpr LabTrial kNoUserNamespace{EPERM};
constexpr LabTrial kUserNamespaceWithoutRights{0, EPERM};
INSTANTIATE_TEST_SUITE_P(
    Reasons, Forbidden,
    ::testing::Values(
        ForbiddenCase{kNoUserNamespace,
                      {true, false},
                      Capability::userNamespaces,
                      "sudo sysctl -w kernel.unprivileged_userns_clone=1"},
        ForbiddenCase{{ENOSPC}, {}, Capability::userNamespaces, "sudo sysctl -w user.max_user_namespaces=10000"},
        ForbiddenCase{kNoUserNamespace, {}, Capability::userNamespaces, ""},
        ForbiddenCase{kUserNamespaceWithoutRights,
                      {false, true},
                      Capability::ownNetworkNamespace,
                      "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"},
        ForbiddenCase{{0, ENOSPC}, {}, Capability::ownNetworkNamespace, "sudo sysctl -w user.max_net_namespaces=10000"},
        ForbiddenCase{{0, 0, EOPNOTSUPP, 0, 0}, {}, Capability::vethPairs, "sudo modprobe veth"},
        ForbiddenCase{{0, 0, 0, ENOENT, 0}, {}, Capability::tunDevices, "sudo modprobe tun"},
        ForbiddenCase{{0, 0, 0, EACCES, 0}, {}, Capability::tunDevices, "sudo chmod 0666 /dev/net/tun"},
        ForbiddenCase{{0, 0, 0, 0, EAFNOSUPPORT}, {}, Capability::packetSockets, "sudo modprobe af_packet"}));

TEST(LabReport, WhatNeedsSomethingThatIsMissingWasNotTried) {
  const CapabilityState veth = stateOf(labReport(kNoUserNamespace, {}), Capability::vethPairs);
  EXPECT_EQ(veth.status, CapabilityStatus::notTried);
  EXPECT_EQ(sentence(veth), "Virtual Ethernet devices, for the lab: not tested, because a prerequisite is missing");
}

TEST(LabProbe, LeavesNoNamespaceBehindForThisProcess) {
  const auto before = std::filesystem::read_symlink("/proc/self/ns/net");
  EXPECT_EQ(probeLab().size(), kLabCapabilityCount);
  EXPECT_EQ(std::filesystem::read_symlink("/proc/self/ns/net"), before);
}

TEST(LabProbe, ReadsTheSwitchesOfUserNamespaces) {
  std::string path = (std::filesystem::temp_directory_path() / "tcpscope-proc-XXXXXX").string();
  ASSERT_NE(mkdtemp(path.data()), nullptr);
  const std::filesystem::path kernel = std::filesystem::path(path) / "sys/kernel";
  std::filesystem::create_directories(kernel);
  EXPECT_FALSE(readUserNamespaceSwitches(path).cloneOff) << "kernels without the switch have it on";
  EXPECT_FALSE(readUserNamespaceSwitches(path).restrictedByAppArmor);
  std::ofstream(kernel / "unprivileged_userns_clone") << "0\n";
  std::ofstream(kernel / "apparmor_restrict_unprivileged_userns") << "1\n";
  EXPECT_TRUE(readUserNamespaceSwitches(path).cloneOff);
  EXPECT_TRUE(readUserNamespaceSwitches(path).restrictedByAppArmor);
  std::filesystem::remove_all(path);
}

}  // namespace
}  // namespace tcpscope
