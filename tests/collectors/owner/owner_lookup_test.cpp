#include "collectors/owner/owner_lookup.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "tests/support/loopback_connection.h"

namespace tcpscope {
namespace {

std::uint32_t inodeOf(const test::Descriptor& socket) {
  struct stat status {};
  fstat(socket.number(), &status);
  return static_cast<std::uint32_t>(status.st_ino);
}

/// A /proc tree of its own: process directories with what a lookup reads.
class MadeUpProc : public ::testing::Test {
protected:
  void SetUp() override {
    std::string path = (std::filesystem::temp_directory_path() / "tcpscope-proc-XXXXXX").string();
    ASSERT_NE(mkdtemp(path.data()), nullptr);
    m_root = path;
  }
  void TearDown() override { std::filesystem::remove_all(m_root); }

  void process(int pid, const std::string& name, const std::string& cgroup, int startTime = 100) const {
    const std::filesystem::path folder = m_root / std::to_string(pid);
    std::filesystem::create_directories(folder / "fd");
    std::ofstream(folder / "comm") << name << '\n';
    std::ofstream(folder / "cgroup") << cgroup << '\n';
    std::ofstream(folder / "stat") << pid << " (" << name << ") S 1 1 1 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 "
                                   << startTime << " 0 0\n";
  }
  void descriptor(int pid, int number, const std::string& target) const {
    const std::filesystem::path link = m_root / std::to_string(pid) / "fd" / std::to_string(number);
    std::filesystem::remove(link);
    std::filesystem::create_symlink(target, link);
  }
  [[nodiscard]] OwnerLookup lookup() const {
    return OwnerLookup(m_root, [](std::uint32_t) { return UntrustedText("alice"); });
  }

  std::filesystem::path m_root;
};

OwnerLookup::Owners ask(OwnerLookup& lookup, std::vector<std::uint32_t> inodes) {
  return lookup.lookup(inodes);
}

TEST_F(MadeUpProc, NamesProcessUserAndUnitOfASocket) {
  process(42, "nginx", "0::/system.slice/nginx.service");
  descriptor(42, 0, "/dev/null");
  descriptor(42, 7, "socket:[1234]");
  OwnerLookup owners = lookup();
  const auto found = ask(owners, {1234});

  ASSERT_EQ(found.count(1234), 1U);
  EXPECT_EQ(found.at(1234)->pid, 42);
  EXPECT_EQ(found.at(1234)->processName, UntrustedText("nginx"));
  EXPECT_EQ(found.at(1234)->userName, UntrustedText("alice"));
  EXPECT_EQ(found.at(1234)->unitOrContainer, UntrustedText("nginx.service"));
}

TEST_F(MadeUpProc, ReturnsTheDescriptorAsLongAsItIsTheSocket) {
  process(42, "nginx", "0::/system.slice/nginx.service");
  descriptor(42, 7, "socket:[1234]");
  OwnerLookup owners = lookup();
  EXPECT_EQ(owners.descriptorOf(42, 1234), std::nullopt) << "no lookup yet";
  ask(owners, {1234});
  EXPECT_EQ(owners.descriptorOf(42, 1234), 7);
  EXPECT_EQ(owners.descriptorOf(43, 1234), std::nullopt);
  descriptor(42, 7, "/dev/null");
  EXPECT_EQ(owners.descriptorOf(42, 1234), std::nullopt);
}

TEST_F(MadeUpProc, NamesEveryoneAtOnce) {
  process(42, "nginx", "0::/system.slice/nginx.service");
  descriptor(42, 0, "/dev/null");
  descriptor(42, 7, "socket:[1234]");
  process(43, "worker", "0::/");
  descriptor(43, 7, "socket:[1234]");
  descriptor(43, 8, "socket:[5678]");
  process(44, "idle", "0::/");
  OwnerLookup owners = lookup();
  const auto found = owners.everyone();

  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found.at(1234)->pid, 43) << "of several holders the newest";
  EXPECT_EQ(found.at(5678)->processName, UntrustedText("worker"));
  EXPECT_EQ(found.at(1234), found.at(5678)) << "sockets of one process share the object";
}

TEST_F(MadeUpProc, FollowsASocketThatMovedToAnotherProcess) {
  process(42, "parent", "0::/");
  process(43, "child", "0::/");
  descriptor(42, 7, "socket:[1234]");
  OwnerLookup owners = lookup();
  ASSERT_EQ(ask(owners, {1234}).at(1234)->pid, 42);
  descriptor(42, 7, "socket:[999]");
  descriptor(43, 3, "socket:[1234]");

  EXPECT_EQ(ask(owners, {1234}).at(1234)->pid, 43);
}

TEST_F(MadeUpProc, DoesNotGiveTheNameOfAnEarlierProcessWithTheSameNumber) {
  process(42, "before", "0::/");
  descriptor(42, 7, "socket:[1234]");
  OwnerLookup owners = lookup();
  ASSERT_EQ(ask(owners, {1234}).size(), 1U);
  process(42, "after", "0::/", 200);
  descriptor(42, 7, "socket:[5678]");

  const auto found = ask(owners, {1234, 5678});
  EXPECT_EQ(found.count(1234), 0U);
  EXPECT_EQ(found.at(5678)->processName, UntrustedText("after"));
}

TEST_F(MadeUpProc, FindsASocketThatAppearsLater) {
  process(42, "server", "0::/");
  OwnerLookup owners = lookup();
  EXPECT_TRUE(ask(owners, {1234}).empty());
  descriptor(42, 7, "socket:[1234]");
  std::size_t asked = 0;
  while (ask(owners, {1234}).empty() && asked < 10) ++asked;

  EXPECT_LT(asked, 10U) << "a search that found nothing is repeated, if not at once";
}

TEST_F(MadeUpProc, ReadsANameThatLooksLikeTheEndOfTheNameField) {
  process(42, ") S 1 (", "0::/");
  descriptor(42, 7, "socket:[1234]");
  OwnerLookup owners = lookup();
  EXPECT_EQ(ask(owners, {1234}).at(1234)->processName, UntrustedText(") S 1 ("));
}

TEST_F(MadeUpProc, SkipsWhatIsNoSocketAndNoProcess) {
  process(42, "server", "0::/");
  descriptor(42, 1, "socket:[12x]");
  descriptor(42, 2, "socket:[99999999999999999999]");
  descriptor(42, 3, "pipe:[1234]");
  std::filesystem::create_directories(m_root / "self" / "fd");
  OwnerLookup owners = lookup();
  EXPECT_TRUE(ask(owners, {0, 12, 1234}).empty());
}

TEST_F(MadeUpProc, CountsProcessesWhoseDescriptorsMayNotBeRead) {
  process(42, "secret", "0::/");
  std::filesystem::permissions(m_root / "42" / "fd", std::filesystem::perms::none);
  std::filesystem::permissions(m_root, std::filesystem::perms::all);
  OwnerLookup owners = lookup();
  // Root may read everything: during the lookup this test runs as an unprivileged user.
  const uid_t user = geteuid();
  if (user == 0) {
    ASSERT_EQ(seteuid(65534), 0);
  }
  const auto found = ask(owners, {1234});
  if (user == 0) {
    ASSERT_EQ(seteuid(0), 0);
  }

  EXPECT_TRUE(found.empty());
  EXPECT_EQ(owners.processesNotPermitted(), 1U);
}

TEST(OwnerLookup, FindsThisProcessInTheRealTree) {
  const test::LoopbackListener listener;
  const auto [client, server] = listener.connect();
  const std::array<std::uint32_t, 1> inodes{inodeOf(client)};
  OwnerLookup owners;
  const auto found = owners.lookup(inodes);

  ASSERT_EQ(found.count(inodes[0]), 1U);
  EXPECT_EQ(found.at(inodes[0])->pid, getpid());
  EXPECT_FALSE(found.at(inodes[0])->processName.empty());
}

TEST(OwnerLookup, FindsASocketThatTookTheNumberOfAClosedOne) {
  const test::LoopbackListener listener;
  auto [client, server] = listener.connect();
  OwnerLookup owners;
  const std::array<std::uint32_t, 1> first{inodeOf(client)};
  ASSERT_EQ(owners.lookup(first).size(), 1U);
  client.close();
  auto [next, nextServer] = listener.connect();
  const std::array<std::uint32_t, 2> second{first[0], inodeOf(next)};
  const auto found = owners.lookup(second);

  EXPECT_EQ(found.count(first[0]), 0U);
  EXPECT_EQ(found.count(second[1]), 1U);
}

struct CgroupCase {
  const char* text;
  const char* expected;

  /// Its first line names a case.
  friend void PrintTo(const CgroupCase& one, std::ostream* out) {
    const std::string_view lines = one.text;
    *out << (lines.empty() ? "nothing" : lines.substr(0, lines.find('\n')));
  }
};
class UnitOrContainer : public ::testing::TestWithParam<CgroupCase> {};

TEST_P(UnitOrContainer, IsTheDeepestNameOfTheCgroup) {
  const std::optional<UntrustedText> found = unitOrContainerOf(GetParam().text);
  EXPECT_EQ(found ? found->rawBytes() : "(none)", GetParam().expected);
}

constexpr const char* kId = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
const std::string kDockerScope = std::string("0::/system.slice/docker-") + kId + ".scope\n";
const std::string kDockerV1 = std::string("12:cpu,cpuacct:/docker/") + kId + "\n11:memory:/docker/" + kId + "\n";
const std::string kPodman =
    std::string("0::/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-") + kId + ".scope/container\n";
const std::string kKubernetes =
    std::string("0::/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod1.slice/cri-containerd-") + kId +
    ".scope\n";
const std::string kKubernetesV1 = std::string("4:memory:/kubepods/besteffort/pod1/") + kId + "\n";

INSTANTIATE_TEST_SUITE_P(
    Texts, UnitOrContainer,
    ::testing::Values(
        CgroupCase{"0::/system.slice/nginx.service\n", "nginx.service"},
        CgroupCase{"0::/system.slice/system-postgresql.slice/postgresql@15-main.service\n",
                   "postgresql@15-main.service"},
        CgroupCase{kDockerScope.c_str(), "docker:0123456789ab"}, CgroupCase{kDockerV1.c_str(), "docker:0123456789ab"},
        CgroupCase{kPodman.c_str(), "podman:0123456789ab"}, CgroupCase{kKubernetes.c_str(), "kubernetes:0123456789ab"},
        CgroupCase{kKubernetesV1.c_str(), "kubernetes:0123456789ab"},
        CgroupCase{"0::/lxc.payload.web/system.slice/nginx.service\n", "nginx.service"},
        CgroupCase{"0::/lxc.payload.web/init.scope\n", "lxc:web"}, CgroupCase{"3:cpu:/lxc/web\n", "lxc:web"},
        CgroupCase{"0::/\n", "(none)"}, CgroupCase{"0::/user.slice/session-3.scope\n", "(none)"},
        CgroupCase{"", "(none)"}, CgroupCase{"nonsense", "(none)"}, CgroupCase{"::", "(none)"}));

}  // namespace
}  // namespace tcpscope
