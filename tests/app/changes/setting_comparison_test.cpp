// Comparisons of a change with its originals.
#include "app/changes/execute/setting_comparison.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "tests/app/changes/sysctl_changer_fixture.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;
using test::ChangedHost;
using test::SysctlChangerTest;

TEST_F(SysctlChangerTest, ComparesNothingWithoutAJournalOrItsLock) {
  EXPECT_EQ(SettingComparison::begin(m_host.changes(), 1).error().kind, ChangeErrorKind::noSuchChange);
  const ChangeRecord record = applied({{test::kSack, "0"}});
  std::filesystem::remove(m_host.journal() / ".comparison");
  std::filesystem::create_directory(m_host.journal() / ".comparison");
  EXPECT_EQ(SettingComparison::begin(m_host.changes(), record.id).error().kind, ChangeErrorKind::journalFailed);
  EXPECT_EQ(m_host.changes().list()->back().inForce, SettingVersion::changed);
}

TEST_F(SysctlChangerTest, GoesBackAndForthForAComparison) {
  const ChangeRecord record = applied({{test::kSack, "0"}});
  ASSERT_TRUE(m_host.changes().choose(record.id, SettingVersion::original));
  EXPECT_EQ(ChangedHost::setting(test::kSack), "1");
  ASSERT_TRUE(m_host.changes().choose(record.id, SettingVersion::changed));
  EXPECT_EQ(ChangedHost::setting(test::kSack), "0");
  EXPECT_EQ(m_host.changes().list()->back().state, ChangeState::confirmed);
  ASSERT_TRUE(m_host.changes().revert(record.id));
  EXPECT_EQ(m_host.changes().choose(record.id, SettingVersion::changed).error().kind, ChangeErrorKind::wrongState);
}

TEST_F(SysctlChangerTest, TheJournalHasTheOriginalsBeforeAComparisonSetsThem) {
  const ChangeRecord record = applied({{test::kSack, "0"}});
  ASSERT_TRUE(m_host.changes().choose(record.id, SettingVersion::original));
  EXPECT_EQ(m_host.changes().list()->back().inForce, SettingVersion::original);
  ASSERT_TRUE(m_host.changes().choose(record.id, SettingVersion::changed));
  EXPECT_EQ(m_host.changes().list()->back().inForce, SettingVersion::changed);
}

/// Of a comparison that is killed, the detached process sets the change again: no other process checks.
TEST_F(SysctlChangerTest, TheChangeIsSetAgainAfterAKilledComparison) {
  const ChangeRecord record = applied({{test::kSack, "0"}});
  for (const int signal : {SIGKILL, SIGTERM, SIGHUP}) {
    const pid_t child = fork();
    if (child == 0) {
      auto comparison = SettingComparison::begin(m_host.changes(), record.id);
      if (!comparison || !comparison->choose(SettingVersion::original)) _exit(1);
      raise(signal);
      _exit(2);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    while (ChangedHost::setting(test::kSack) != "0") usleep(1000);
    while (m_host.changes().list()->back().inForce != SettingVersion::changed) usleep(1000);
  }
}

TEST_F(SysctlChangerTest, AnotherCallLeavesARunningComparisonAlone) {
  const ChangeRecord record = applied({{test::kSack, "0"}});
  {
    auto comparison = SettingComparison::begin(m_host.changes(), record.id);
    ASSERT_TRUE(comparison && comparison->choose(SettingVersion::original));
    m_host.changes().settle();
    EXPECT_EQ(ChangedHost::setting(test::kSack), "1");
    const auto second = SettingComparison::begin(m_host.changes(), record.id);
    EXPECT_EQ(second.error().kind, ChangeErrorKind::comparisonRunning);
    ASSERT_TRUE(comparison->choose(SettingVersion::original));
  }
  // By the process that waited for its end, or by any call after it.
  while (ChangedHost::setting(test::kSack) != "0") usleep(1000);
}

TEST_F(SysctlChangerTest, ComparesNoChangeBelowAnother) {
  const ChangeRecord lowest = applied({{test::kRmem, "4096 131072 16777216"}});
  static_cast<void>(applied({{test::kRmem, "4096 131072 33554432"}}));
  // The value of the lowest, but no longer by it.
  static_cast<void>(applied({{test::kRmem, "4096 131072 16777216"}}));
  EXPECT_EQ(m_host.changes().choose(lowest.id, SettingVersion::original).error().kind,
            ChangeErrorKind::changedMeanwhile);
  EXPECT_EQ(ChangedHost::setting(test::kRmem), "4096 131072 16777216");
}

TEST_F(SysctlChangerTest, ATrialThatEndsBelowAComparisonGivesItTheOriginal) {
  const auto trial =
      m_host.changes().apply({{{test::kRmem, "4096 131072 16777216"}}, {}, false, test::kLongerThanATest});
  ASSERT_TRUE(trial && *trial);
  const ChangeRecord compared = applied({{test::kRmem, "4096 131072 33554432"}});
  auto comparison = SettingComparison::begin(m_host.changes(), compared.id);
  ASSERT_TRUE(comparison && comparison->choose(SettingVersion::original));
  ASSERT_TRUE(m_host.changes().revert((*trial)->id));
  EXPECT_EQ(ChangedHost::setting(test::kRmem), "4096 131072 6291456");
  EXPECT_TRUE(comparison->choose(SettingVersion::changed));
  EXPECT_EQ(ChangedHost::setting(test::kRmem), "4096 131072 33554432");
  ASSERT_TRUE(m_host.changes().revert(compared.id));
  EXPECT_EQ(ChangedHost::setting(test::kRmem), "4096 131072 6291456");
}

}  // namespace
}  // namespace tcpscope
