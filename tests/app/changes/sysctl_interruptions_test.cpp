// Changes whose end was interrupted, and clocks that are stepped.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "app/changes/execute/sysctl_changer.h"
#include "tests/app/changes/sysctl_changer_fixture.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;
using test::ChangedHost;
using test::SysctlChangerTest;

/// What `work` returns in a process all of whose writes to files end as on a full disk.
template <class Work>
auto onAFullDisk(Work&& work) {
  constexpr int kNotLimited = 255;
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit none{0, 0};
    _exit(setrlimit(RLIMIT_FSIZE, &none) == 0 ? static_cast<int>(work()) : kNotLimited);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return static_cast<decltype(work())>(WIFEXITED(status) ? WEXITSTATUS(status) : kNotLimited);
}

TEST_F(SysctlChangerTest, ASuspendEndsATrialAndAStepOfTheWallClockDoesNot) {
  Nanoseconds boot = 100s;
  std::int64_t wall = 2'000'000'000;
  SysctlChanger changes(m_host.folders(), {[&] { return boot; }, [&] { return wall; }});
  const auto made = changes.apply({{{test::kSack, "0"}}, {}, false, Milliseconds(60'000)});
  ASSERT_TRUE(made && *made);
  EXPECT_EQ((*made)->madeAtSeconds, wall);
  for (const std::int64_t stepped : {0L, 9'000'000'000L}) {
    wall = stepped;
    changes.settle();
    EXPECT_EQ(ChangedHost::setting(test::kSack), "0");
  }
  boot = 160s;
  changes.settle();
  EXPECT_EQ(ChangedHost::setting(test::kSack), "1");
}

TEST_F(SysctlChangerTest, ARevertOnAFullDiskSaysThatTheOriginalsAreBack) {
  const ChangeRecord record = applied({{test::kSack, "0"}});
  const ChangeErrorKind kind = onAFullDisk([&] { return m_host.changes().revert(record.id).error().kind; });
  EXPECT_EQ(kind, ChangeErrorKind::journalNotUpdated);
  EXPECT_EQ(ChangedHost::setting(test::kSack), "1");
  ASSERT_TRUE(m_host.changes().revert(record.id)) << "there is space again";
  EXPECT_EQ(m_host.changes().list()->back().state, ChangeState::reverted);
}

/// Also where its original of another setting is for the change above, which cannot be journalled.
TEST_F(SysctlChangerTest, AnOverdueTrialEndsThoughTheJournalCannotBeWritten) {
  Nanoseconds boot = 100s;
  SysctlChanger changes(m_host.folders(), {[&] { return boot; }});
  const std::vector<WantedSetting> both = {{test::kSack, "0"}, {test::kRmem, "4096 131072 16777216"}};
  ASSERT_TRUE(changes.apply({both, {}, false, Milliseconds(60'000)}));
  const auto above = changes.apply({{{test::kRmem, "4096 131072 33554432"}}, {}, false, {}});
  ASSERT_TRUE(above && *above);
  boot = 160s;
  ASSERT_EQ(onAFullDisk([&] {
              changes.settle();
              return 0;
            }),
            0);
  EXPECT_EQ(ChangedHost::setting(test::kSack), "1");
  EXPECT_EQ(ChangedHost::setting(test::kRmem), "4096 131072 33554432");
  ASSERT_TRUE(changes.revert((*above)->id));
  EXPECT_EQ(ChangedHost::setting(test::kRmem), "4096 131072 6291456");
}

/// A kill or a full disk may end a revert after the originals were set, and before the journal had it.
TEST_F(SysctlChangerTest, AnInterruptedRevertCoversNothing) {
  const ChangeRecord below = applied({{test::kRmem, "4096 131072 16777216"}});
  const ChangeRecord above = applied({{test::kRmem, "4096 131072 33554432"}});
  ChangedHost::set(test::kRmem, "4096 131072 16777216");
  ASSERT_TRUE(m_host.changes().revert(below.id));
  EXPECT_EQ(ChangedHost::setting(test::kRmem), "4096 131072 6291456");
  ASSERT_TRUE(m_host.changes().revert(above.id));
  EXPECT_EQ(ChangedHost::setting(test::kRmem), "4096 131072 6291456");
}

/// Its original would be taken for the value of a change, and outlive that.
TEST_F(SysctlChangerTest, NoChangeIsMadeAboveAnInterruptedRevert) {
  const ChangeRecord lowest = applied({{test::kRmem, "4096 131072 16777216"}});
  const ChangeRecord interrupted = applied({{test::kRmem, "4096 131072 33554432"}});
  ChangedHost::set(test::kRmem, "4096 131072 16777216");
  const std::vector<WantedSetting> next = {{test::kRmem, "4096 131072 67108864"}};
  const auto refused = m_host.changes().apply({next, {}, false, {}});
  EXPECT_EQ(kindOf(refused), ChangeErrorKind::unfinishedChange);
  EXPECT_EQ(refused.error().object, UntrustedText(std::to_string(interrupted.id)));
  static_cast<void>(applied({{test::kSack, "0"}}));
  ASSERT_TRUE(m_host.changes().revert(interrupted.id));
  const ChangeRecord made = applied(next);
  ASSERT_TRUE(m_host.changes().revert(lowest.id));
  ASSERT_TRUE(m_host.changes().revert(made.id));
  EXPECT_EQ(ChangedHost::setting(test::kRmem), "4096 131072 6291456");
}

TEST_F(SysctlChangerTest, NoChangeIsMadeAboveSeveralInterruptedReverts) {
  const ChangeRecord lowest = applied({{test::kRmem, "4096 131072 16777216"}});
  const ChangeRecord middle = applied({{test::kRmem, "4096 131072 33554432"}});
  const ChangeRecord highest = applied({{test::kRmem, "4096 131072 67108864"}});
  ChangedHost::set(test::kRmem, "4096 131072 16777216");
  const ChangeRequest next{{{test::kRmem, "4096 87380 8388608"}}, {}, false, {}};
  for (const ChangeRecord& interrupted : {highest, middle}) {
    const auto refused = m_host.changes().apply(next);
    EXPECT_EQ(kindOf(refused), ChangeErrorKind::unfinishedChange);
    EXPECT_EQ(refused.error().object, UntrustedText(std::to_string(interrupted.id)));
    ASSERT_TRUE(m_host.changes().revert(interrupted.id));
  }
  ASSERT_TRUE(m_host.changes().apply(next));
  ASSERT_TRUE(m_host.changes().revert(lowest.id));
  ASSERT_TRUE(m_host.changes().revert(m_host.changes().list()->back().id));
  EXPECT_EQ(ChangedHost::setting(test::kRmem), "4096 131072 6291456");
}

TEST_F(SysctlChangerTest, AChangeBelowAnEqualOneStaysCovered) {
  const ChangeRecord lowest = applied({{test::kRmem, "4096 131072 16777216"}});
  const ChangeRecord middle = applied({{test::kRmem, "4096 131072 33554432"}});
  const ChangeRecord highest = applied({{test::kRmem, "4096 131072 16777216"}});
  ASSERT_TRUE(m_host.changes().revert(lowest.id));
  EXPECT_EQ(ChangedHost::setting(test::kRmem), "4096 131072 16777216");
  ASSERT_TRUE(m_host.changes().revert(middle.id));
  EXPECT_EQ(ChangedHost::setting(test::kRmem), "4096 131072 16777216");
  ASSERT_TRUE(m_host.changes().revert(highest.id));
  EXPECT_EQ(ChangedHost::setting(test::kRmem), "4096 131072 6291456");
}

TEST_F(SysctlChangerTest, AnInterruptedChangeThatSetNothingYetCoversNothing) {
  const ChangeRecord below = applied({{test::kRmem, "4096 131072 16777216"}});
  ChangeRecord interrupted = below;
  interrupted.id = below.id + 1;
  interrupted.state = ChangeState::preparing;
  interrupted.settings = {{test::kRmem, "4096 131072 16777216", "4096 131072 33554432"}};
  ASSERT_TRUE(ChangeJournal::open(m_host.journal())->write(interrupted));
  ASSERT_TRUE(m_host.changes().revert(below.id));
  EXPECT_EQ(ChangedHost::setting(test::kRmem), "4096 131072 6291456");
  ASSERT_TRUE(m_host.changes().revert(interrupted.id));
  EXPECT_EQ(ChangedHost::setting(test::kRmem), "4096 131072 6291456");
}

}  // namespace
}  // namespace tcpscope
