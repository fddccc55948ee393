// Changes of other network namespaces than that of the caller.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "app/changes/execute/sysctl_changer.h"
#include "tests/app/changes/sysctl_changer_fixture.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;
using test::ChangedHost;
using test::SysctlChangerTest;

TEST_F(SysctlChangerTest, TakesNoOtherNamespaceForThatOfTheHost) {
  EXPECT_NE(SysctlTree().isHostNamespace(), true);
  EXPECT_EQ(SysctlTree(m_host.folders().root / "proc").isHostNamespace(), true);
}

TEST_F(SysctlChangerTest, AChangeOfAnotherNamespaceIsUndoneThere) {
  const ChangeRecord record = applied({{test::kSack, "0"}});
  const pid_t child = fork();
  if (child == 0) {
    test::enterOwnNamespace();
    const auto reverted = m_host.changes().revert(record.id);
    _exit(!reverted && reverted.error().kind == ChangeErrorKind::otherNamespace ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(m_host.changes().revert(record.id));
}

/// A /proc in which every process can be read, and one of them is in the network namespace of this test.
class SysctlChangerOfNamespacesTest : public SysctlChangerTest {
protected:
  void SetUp() override {
    SysctlChangerTest::SetUp();
    if (IsSkipped()) return;
    namespace fs = std::filesystem;
    const fs::path proc = m_host.folders().root / "proc";
    // That of this test is none of the host.
    fs::remove(proc / "1/net");
    fs::create_directories(proc / "1/net");
    std::ofstream(proc / "1/net/dev") << "another";
    fs::create_symlink("pid:[4026531836]", proc / "self/ns/pid");
    fs::create_directories(proc / "1/task/1/ns");
    fs::create_directories(proc / "1/task/1/fd");
    fs::create_symlink(fs::read_symlink("/proc/self/ns/net"), m_thread / "net");
    fs::create_symlink("mnt:[4026531841]", m_thread / "mnt");
    std::ofstream(proc / "1/task/1/mountinfo") << "28 1 254:0 / / rw - ext4 /dev/vda rw\n";
  }
  /// A change of a namespace that is in no list.
  [[nodiscard]] ChangeRecord ofEndedNamespace() const {
    ChangeRecord record = applied({{test::kSack, "0"}});
    record.networkNamespace = 17;
    EXPECT_TRUE(ChangeJournal::open(m_host.journal())->write(record));
    return record;
  }
  [[nodiscard]] ChangeState stateOnDisk() const {
    return ChangeJournal::open(m_host.journal())->records()->back().state;
  }

  std::filesystem::path m_thread = m_host.folders().root / "proc/1/task/1/ns";
};

TEST_F(SysctlChangerOfNamespacesTest, ClosesAChangeWhoseNamespaceHasEndedAndWritesNothing) {
  const ChangeRecord record = ofEndedNamespace();
  EXPECT_EQ(m_host.changes().list()->back().state, ChangeState::gone);
  EXPECT_EQ(stateOnDisk(), ChangeState::confirmed) << "listing writes nothing";
  m_host.changes().settle();
  EXPECT_EQ(stateOnDisk(), ChangeState::gone);
  EXPECT_EQ(ChangedHost::setting(test::kSack), "0") << "of this namespace";
  EXPECT_EQ(m_host.changes().revert(record.id).error().kind, ChangeErrorKind::wrongState);
}

TEST_F(SysctlChangerOfNamespacesTest, KeepsAChangeWhoseNamespaceExists) {
  const ChangeRecord record = ofEndedNamespace();
  std::filesystem::create_symlink("net:[17]", m_thread.parent_path() / "fd/3");
  m_host.changes().settle();
  EXPECT_EQ(m_host.changes().list()->back().state, ChangeState::confirmed);
  EXPECT_EQ(m_host.changes().revert(record.id).error().kind, ChangeErrorKind::otherNamespace);
}

TEST_F(SysctlChangerOfNamespacesTest, KeepsAChangeWhoseNamespaceMayBeHidden) {
  static_cast<void>(ofEndedNamespace());
  std::filesystem::remove(m_thread / "net");
  m_host.changes().settle();
  EXPECT_EQ(m_host.changes().list()->back().state, ChangeState::confirmed);
  EXPECT_EQ(stateOnDisk(), ChangeState::confirmed);
}

}  // namespace
}  // namespace tcpscope
