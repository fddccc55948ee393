// With a /proc of the test's own making.
#include "collectors/host/network_namespace_finder.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>
#include <string>

namespace tcpscope {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kHost = 4026531840;
constexpr std::uint64_t kBlue = 4026532289;

class NetworkNamespaceFinderTest : public ::testing::Test {
protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "tcpscope-proc-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    m_root = pattern;
    fs::create_directories(m_root / "self/ns");
    fs::create_symlink("pid:[4026531836]", m_root / "self/ns/pid");
    add(1, 1, kHost);
    add(20, 20, kHost);
  }
  void TearDown() override { fs::remove_all(m_root); }

  [[nodiscard]] fs::path task(int pid, int thread) const {
    return m_root / std::to_string(pid) / "task" / std::to_string(thread);
  }
  void add(int pid, int thread, std::uint64_t network, const std::string& mounts = "mnt:[4026531841]") const {
    fs::create_directories(task(pid, thread) / "ns");
    fs::create_directories(task(pid, thread) / "fd");
    fs::create_directories(task(pid, thread) / "fdinfo");
    fs::create_symlink("net:[" + std::to_string(network) + "]", task(pid, thread) / "ns/net");
    fs::create_symlink(mounts, task(pid, thread) / "ns/mnt");
    std::ofstream(task(pid, thread) / "mountinfo") << "28 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n";
  }
  void addDescriptor(int pid, const std::string& target, const std::string& info = "pos:\t0\nino:\t77\n") const {
    fs::create_symlink(target, task(pid, pid) / "fd/5");
    std::ofstream(task(pid, pid) / "fdinfo/5") << info;
  }
  void addMount(int pid, const std::string& root) const {
    std::ofstream(task(pid, pid) / "mountinfo", std::ios::app)
        << "99 28 0:4 " << root << " /run/netns/blue rw shared:9 - nsfs nsfs rw\n";
  }
  /// Nothing where it is not known.
  [[nodiscard]] std::optional<bool> hasBlue() const {
    const auto found = findNetworkNamespaces(m_root);
    if (!found) return std::nullopt;
    EXPECT_EQ(found->count(kHost), 1U);
    return found->count(kBlue) == 1;
  }

  fs::path m_root;
};

TEST_F(NetworkNamespaceFinderTest, OneThatNothingKeepsHasEnded) {
  addDescriptor(20, "socket:[4026532289]");
  EXPECT_EQ(hasBlue(), false);
}

TEST_F(NetworkNamespaceFinderTest, AThreadKeepsIt) {
  add(20, 21, kBlue);
  EXPECT_EQ(hasBlue(), true);
}

TEST_F(NetworkNamespaceFinderTest, AMountKeepsItAlsoInAnotherMountNamespace) {
  add(30, 30, kHost, "mnt:[4026532290]");
  addMount(30, "net:[4026532289]");
  EXPECT_EQ(hasBlue(), true);
}

TEST_F(NetworkNamespaceFinderTest, ADescriptorKeepsIt) {
  addDescriptor(20, "net:[4026532289]");
  EXPECT_EQ(hasBlue(), true);
}

TEST_F(NetworkNamespaceFinderTest, ADescriptorOfAnUnmountedPathKeepsIt) {
  addDescriptor(20, "/run/netns/blue", "pos:\t0\nflags:\t02\nmnt_id:\t99\nino:\t4026532289\n");
  EXPECT_EQ(hasBlue(), true);
}

TEST_F(NetworkNamespaceFinderTest, IsUnknownWithoutTheInodeOfADescriptor) {
  addDescriptor(20, "/run/netns/blue", "pos:\t0\nflags:\t02\nmnt_id:\t99\n");
  EXPECT_EQ(hasBlue(), std::nullopt);
}

/// As from a process that may not be traced, whose link cannot be read.
TEST_F(NetworkNamespaceFinderTest, IsUnknownWhereAProcessCannotBeRead) {
  fs::remove(task(20, 20) / "ns/net");
  std::ofstream(task(20, 20) / "ns/net") << "no link";
  EXPECT_EQ(hasBlue(), std::nullopt);
}

TEST_F(NetworkNamespaceFinderTest, IsUnknownWhereProcessesAreHidden) {
  fs::remove_all(m_root / "1");
  EXPECT_EQ(hasBlue(), std::nullopt);
}

TEST_F(NetworkNamespaceFinderTest, IsUnknownWithinAPidNamespace) {
  fs::remove(m_root / "self/ns/pid");
  fs::create_symlink("pid:[4026532300]", m_root / "self/ns/pid");
  EXPECT_EQ(hasBlue(), std::nullopt);
}

TEST_F(NetworkNamespaceFinderTest, IsUnknownWhereAMountNamespaceHasNoProcess) {
  addMount(1, "mnt:[4026532290]");
  EXPECT_EQ(hasBlue(), std::nullopt);
}

TEST_F(NetworkNamespaceFinderTest, AnEndedThreadHoldsNothing) {
  fs::remove_all(task(20, 20) / "ns");
  EXPECT_EQ(hasBlue(), false);
}

}  // namespace
}  // namespace tcpscope
