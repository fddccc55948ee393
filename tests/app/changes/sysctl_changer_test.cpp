// Changes of real settings, in a network namespace of the test's own.
#include "app/changes/execute/sysctl_changer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "app/changes/execute/revert_timer.h"
#include "tests/app/changes/sysctl_changer_fixture.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;
using test::ChangedHost;
using test::SysctlChangerTest;
using testing::HasSubstr;

TEST_F(SysctlChangerTest, APreviewSaysWhatWouldHappenAndTouchesNothing) {
  const auto rows =
      m_host.changes().preview({{test::kSack, "0"}, {test::kRmem, "4096 131072 6291456"}, {"kernel.panic", "1"}});
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].verdict, PreviewVerdict::changes);
  EXPECT_EQ(rows[0].now, "1");
  EXPECT_EQ(rows[1].verdict, PreviewVerdict::same);
  EXPECT_EQ(rows[2].refusal, SettingRefusal::keyNotAllowed);
  EXPECT_FALSE(rows[2].now) << "what may not be changed is not looked at";
  EXPECT_FALSE(std::filesystem::exists(m_host.journal()));
  EXPECT_EQ(ChangedHost::setting(test::kSack), "1");
}

TEST_F(SysctlChangerTest, APreviewSaysWhichFileSetsItAndWhatWouldComeAfter) {
  std::ofstream(m_host.persisted().parent_path() / "10-old.conf") << "net.ipv4.tcp_rmem = 4096 87380 1000000\n";
  std::ofstream(m_host.persisted().parent_path() / "99-late.conf") << "\nnet.ipv4.tcp_sack = 1\n";
  const auto rows = m_host.changes().preview({{test::kRmem, "4096 131072 33554432"}, {test::kSack, "0"}});
  ASSERT_TRUE(rows[0].setBy);
  EXPECT_THAT(rows[0].setBy->path.rawBytes(), HasSubstr("10-old.conf"));
  EXPECT_TRUE(rows[0].overriddenBy.by.empty());
  ASSERT_EQ(rows[1].overriddenBy.by.size(), 1U);
  EXPECT_EQ(rows[1].overriddenBy.by.front().line, 2U);
  EXPECT_EQ(rows[1].obsolete, ObsoleteReason::sackOff);
}

TEST_F(SysctlChangerTest, APreviewLooksForNoSettingThatIsNotListed) {
  std::ofstream(m_host.persisted().parent_path() / "99-late.conf") << "kernel.panic = 4711\n";
  const auto rows = m_host.changes().preview({{"kernel.panic", "1"}});
  EXPECT_EQ(rows[0].refusal, SettingRefusal::keyNotAllowed);
  EXPECT_FALSE(rows[0].setBy);
  EXPECT_TRUE(rows[0].overriddenBy.by.empty());
}

TEST_F(SysctlChangerTest, ChangesAndUndoes) {
  const ChangeRecord record = applied({{test::kSack, "0"}, {test::kRmem, "4096 131072 33554432"}});
  EXPECT_EQ(record.state, ChangeState::confirmed);
  EXPECT_EQ(ChangedHost::setting(test::kSack), "0");
  EXPECT_EQ(ChangedHost::setting(test::kRmem), "4096 131072 33554432");
  const auto reverted = m_host.changes().revert(record.id);
  ASSERT_TRUE(reverted);
  EXPECT_EQ(ChangedHost::setting(test::kSack), "1");
  EXPECT_EQ(ChangedHost::setting(test::kRmem), "4096 131072 6291456");
  EXPECT_EQ(m_host.changes().list()->back().state, ChangeState::reverted);
}

TEST_F(SysctlChangerTest, WhatIsSetAlreadyIsNoChange) {
  const auto made = m_host.changes().apply({{{test::kSack, "1"}}, {}, false, {}});
  ASSERT_TRUE(made);
  EXPECT_FALSE(*made);
  EXPECT_TRUE(m_host.changes().list()->empty());
}

TEST_F(SysctlChangerTest, RefusesWhatIsNotWhatTheCallerSaw) {
  ChangeRequest request{{{test::kSack, "0"}}, {{test::kSack, "0"}}, false, {}};
  EXPECT_EQ(kindOf(m_host.changes().apply(request)), ChangeErrorKind::changedMeanwhile);
  EXPECT_EQ(ChangedHost::setting(test::kSack), "1");
}

TEST_F(SysctlChangerTest, RefusesTheWholeRequestForOneKey) {
  ChangeRequest request{{{test::kSack, "0"}, {"net.ipv4.ip_forward", "1"}}, {}, false, {}};
  EXPECT_EQ(kindOf(m_host.changes().apply(request)), ChangeErrorKind::refusedSetting);
  EXPECT_EQ(ChangedHost::setting(test::kSack), "1");
}

TEST_F(SysctlChangerTest, PutsEverythingBackWhereTheKernelRefusesOne) {
  ChangeRequest request{{{test::kSack, "0"}, {test::kControl, "no_such"}}, {}, false, {}};
  EXPECT_EQ(kindOf(m_host.changes().apply(request)), ChangeErrorKind::notTaken);
  EXPECT_EQ(ChangedHost::setting(test::kSack), "1");
  EXPECT_EQ(m_host.changes().list()->back().state, ChangeState::reverted);
}

TEST_F(SysctlChangerTest, LeavesOutsideChangesAlone) {
  const ChangeRecord record = applied({{test::kSack, "0"}, {test::kRmem, "4096 131072 33554432"}});
  ChangedHost::set(test::kRmem, "4096 87380 16777216");
  const auto reverted = m_host.changes().revert(record.id);
  ASSERT_TRUE(reverted);
  EXPECT_EQ(reverted->settings[0].outcome, RestoreOutcome::leftAlone);
  EXPECT_EQ(reverted->settings[1].outcome, RestoreOutcome::restored);
  EXPECT_EQ(ChangedHost::setting(test::kRmem), "4096 87380 16777216");
  EXPECT_EQ(ChangedHost::setting(test::kSack), "1");
}

TEST_F(SysctlChangerTest, IsUndoneWithoutConfirmation) {
  const auto made = m_host.changes().apply({{{test::kSack, "0"}}, {}, false, 200ms});
  ASSERT_TRUE(made && *made);
  EXPECT_EQ((*made)->state, ChangeState::applied);
  // By the process that waits for it: no other process checks.
  while (ChangedHost::setting(test::kSack) != "1") usleep(1000);
  while (m_host.changes().list()->back().state != ChangeState::reverted) usleep(1000);
}

TEST_F(SysctlChangerTest, StaysOnceItIsConfirmed) {
  const auto made = m_host.changes().apply({{{test::kSack, "0"}}, {}, false, 4s});
  ASSERT_TRUE(made && *made);
  const auto confirmed = m_host.changes().confirm((*made)->id);
  ASSERT_TRUE(confirmed);
  while (bootTime() < *(*made)->deadline + 100ms) usleep(1000);
  EXPECT_EQ(m_host.changes().list()->back().state, ChangeState::confirmed);
  EXPECT_EQ(ChangedHost::setting(test::kSack), "0");
}

TEST_F(SysctlChangerTest, ConfirmsAndRevertsNothingTwice) {
  const ChangeRecord record = applied({{test::kSack, "0"}});
  EXPECT_EQ(m_host.changes().confirm(record.id).error().kind, ChangeErrorKind::wrongState);
  EXPECT_TRUE(m_host.changes().revert(record.id));
  EXPECT_EQ(m_host.changes().revert(record.id).error().kind, ChangeErrorKind::wrongState);
  EXPECT_EQ(m_host.changes().revert(record.id + 1).error().kind, ChangeErrorKind::noSuchChange);
}

TEST_F(SysctlChangerTest, IsKeptForTheNextBootOnlyOnceItIsConfirmed) {
  const auto made = m_host.changes().apply({{{test::kSack, "0"}}, {}, true, test::kLongerThanATest});
  ASSERT_TRUE(made && *made);
  EXPECT_FALSE(std::filesystem::exists(m_host.persisted()));
  ASSERT_TRUE(m_host.changes().confirm((*made)->id));
  EXPECT_THAT(m_host.persistedText(), HasSubstr("\nnet.ipv4.tcp_sack = 0\n"));
  struct stat status {};
  ASSERT_EQ(stat(m_host.persisted().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0644U);
  ASSERT_TRUE(m_host.changes().revert((*made)->id));
  EXPECT_FALSE(std::filesystem::exists(m_host.persisted()));
}

/// What the boot, or an administrator since, has set to the value of the trial.
TEST_F(SysctlChangerTest, ClosesATrialOfAnEarlierBootAndWritesNothing) {
  const auto made = m_host.changes().apply({{{test::kSack, "0"}}, {}, true, test::kLongerThanATest});
  ASSERT_TRUE(made && *made);
  m_host.bootAgain();
  m_host.changes().settle();
  EXPECT_EQ(m_host.changes().list()->back().state, ChangeState::gone);
  EXPECT_EQ(ChangedHost::setting(test::kSack), "0");
  EXPECT_EQ(m_host.changes().revert((*made)->id).error().kind, ChangeErrorKind::wrongState);
}

TEST_F(SysctlChangerTest, ListsWithoutWritingAnything) {
  const auto made = m_host.changes().apply({{{test::kSack, "0"}}, {}, false, test::kLongerThanATest});
  ASSERT_TRUE(made && *made);
  const std::filesystem::path file = m_host.journal() / "0000000001.change";
  const auto written = std::filesystem::last_write_time(file);
  m_host.bootAgain();
  EXPECT_EQ(m_host.changes().list()->back().state, ChangeState::gone);
  EXPECT_EQ(std::filesystem::last_write_time(file), written);
  EXPECT_EQ(ChangedHost::setting(test::kSack), "0");
}

TEST_F(SysctlChangerTest, RevertsAConfirmedChangeAfterABootOnlyWhereItPersists) {
  const ChangeRecord kept = applied({{test::kSack, "0"}}, true);
  const ChangeRecord untilBoot = applied({{test::kRmem, "4096 131072 33554432"}});
  m_host.bootAgain();
  EXPECT_EQ(m_host.changes().revert(untilBoot.id).error().kind, ChangeErrorKind::wrongState);
  EXPECT_TRUE(m_host.changes().revert(kept.id));
  EXPECT_EQ(ChangedHost::setting(test::kSack), "1");
  EXPECT_FALSE(std::filesystem::exists(m_host.persisted()));
}

constexpr const char* kFirstValue = "4096 131072 16777216";
constexpr const char* kSecondValue = "4096 131072 33554432";
constexpr const char* kOriginalValue = "4096 131072 6291456";

TEST_F(SysctlChangerTest, OverlappingTrialsEndOnTheOriginal) {
  const auto first = m_host.changes().apply({{{test::kRmem, kFirstValue}}, {}, false, test::kLongerThanATest});
  const auto second = m_host.changes().apply({{{test::kRmem, kSecondValue}}, {}, false, test::kLongerThanATest});
  ASSERT_TRUE(first && second);
  // In the order in which their timers would.
  const auto reverted = m_host.changes().revert((*first)->id);
  ASSERT_TRUE(reverted);
  EXPECT_EQ(reverted->settings.front().outcome, RestoreOutcome::handedOn);
  EXPECT_EQ(ChangedHost::setting(test::kRmem), kSecondValue);
  ASSERT_TRUE(m_host.changes().revert((*second)->id));
  EXPECT_EQ(ChangedHost::setting(test::kRmem), kOriginalValue);
}

TEST_F(SysctlChangerTest, FortyTrialsAtOnceEndOnTheOriginalInAnyOrder) {
  std::vector<std::uint32_t> trials;
  for (int trial = 1; trial <= 40; ++trial) {
    const std::string value = "4096 131072 " + std::to_string(16'777'216 + trial * 4096);
    const auto made = m_host.changes().apply({{{test::kRmem, value}}, {}, false, test::kLongerThanATest});
    ASSERT_TRUE(made && *made);
    trials.push_back((*made)->id);
  }
  // Seven and forty have no common factor: every trial once.
  for (std::size_t step = 0; step < trials.size(); ++step) {
    ASSERT_TRUE(m_host.changes().revert(trials[step * 7 % trials.size()]));
  }
  EXPECT_EQ(ChangedHost::setting(test::kRmem), kOriginalValue);
}

TEST_F(SysctlChangerTest, AConfirmedChangeAboveARevertedTrialKeepsItsValueAndGetsTheOriginal) {
  const auto trial = m_host.changes().apply({{{test::kRmem, kFirstValue}}, {}, false, test::kLongerThanATest});
  ASSERT_TRUE(trial && *trial);
  const ChangeRecord kept = applied({{test::kRmem, kSecondValue}}, true);
  ASSERT_TRUE(m_host.changes().revert((*trial)->id));
  EXPECT_EQ(ChangedHost::setting(test::kRmem), kSecondValue);
  EXPECT_THAT(m_host.persistedText(), HasSubstr(std::string("before it: ") + kOriginalValue));
  ASSERT_TRUE(m_host.changes().revert(kept.id));
  EXPECT_EQ(ChangedHost::setting(test::kRmem), kOriginalValue);
  EXPECT_FALSE(std::filesystem::exists(m_host.persisted()));
}

TEST_F(SysctlChangerTest, AValueThatAnotherProgramSetBetweenTwoChangesComesBack) {
  const ChangeRecord first = applied({{test::kRmem, kFirstValue}});
  const std::string outside = "4096 87380 16777216";
  ChangedHost::set(test::kRmem, outside);
  const ChangeRecord second = applied({{test::kRmem, kSecondValue}});
  ASSERT_TRUE(m_host.changes().revert(first.id));
  ASSERT_TRUE(m_host.changes().revert(second.id));
  EXPECT_EQ(ChangedHost::setting(test::kRmem), outside);
}

/// A file in place of the folder: root may write any folder.
TEST_F(SysctlChangerTest, AFolderThatCannotBeWrittenStopsNoLaterChange) {
  std::filesystem::remove(m_host.persisted().parent_path());
  std::ofstream(m_host.persisted().parent_path()) << "";
  EXPECT_EQ(kindOf(m_host.changes().apply({{{test::kSack, "0"}}, {}, true, {}})), ChangeErrorKind::persistFailed);
  EXPECT_EQ(ChangedHost::setting(test::kSack), "1");
  EXPECT_TRUE(m_host.changes().list()->empty());
  const ChangeRecord record = applied({{test::kSack, "0"}});
  EXPECT_TRUE(m_host.changes().revert(record.id));
}

TEST_F(SysctlChangerTest, ARecordEndsWhenTheSettingsAreBackThoughTheFileStays) {
  const ChangeRecord record = applied({{test::kSack, "0"}}, true);
  std::filesystem::remove_all(m_host.persisted().parent_path());
  std::ofstream(m_host.persisted().parent_path()) << "";
  const auto reverted = m_host.changes().revert(record.id);
  ASSERT_TRUE(reverted);
  EXPECT_TRUE(reverted->fileLeftAlone);
  EXPECT_EQ(ChangedHost::setting(test::kSack), "1");
  EXPECT_EQ(m_host.changes().list()->back().state, ChangeState::reverted);
  EXPECT_EQ(applied({{test::kSack, "0"}}).state, ChangeState::confirmed);
}

TEST_F(SysctlChangerTest, DoesNotOverwriteAFileWithOutsideChanges) {
  std::ofstream(m_host.persisted()) << "net.ipv4.tcp_sack = 1\n";
  ChangeRequest request{{{test::kSack, "0"}}, {}, true, {}};
  EXPECT_EQ(kindOf(m_host.changes().apply(request)), ChangeErrorKind::persistedFileChanged);
  EXPECT_EQ(ChangedHost::setting(test::kSack), "1");
  EXPECT_EQ(m_host.persistedText(), "net.ipv4.tcp_sack = 1\n");
}

TEST_F(SysctlChangerTest, UndoesTheSettingsOfNowWhereTheFileIsNotItsOwnAnyMore) {
  const ChangeRecord record = applied({{test::kSack, "0"}}, true);
  std::ofstream(m_host.persisted(), std::ios::app) << "net.ipv4.tcp_ecn = 1\n";
  const std::string file = m_host.persistedText();
  const auto reverted = m_host.changes().revert(record.id);
  ASSERT_TRUE(reverted);
  EXPECT_TRUE(reverted->fileLeftAlone);
  EXPECT_EQ(ChangedHost::setting(test::kSack), "1");
  EXPECT_EQ(m_host.persistedText(), file);
}

TEST_F(SysctlChangerTest, FollowsNoLinkInPlaceOfAFile) {
  const std::filesystem::path victim = m_host.journal().parent_path() / "victim";
  std::ofstream(victim) << "precious";
  std::filesystem::create_symlink(victim, m_host.persisted());
  ChangeRequest request{{{test::kSack, "0"}}, {}, true, {}};
  EXPECT_EQ(kindOf(m_host.changes().apply(request)), ChangeErrorKind::persistedFileChanged);
  std::string content;
  std::ifstream(victim) >> content;
  EXPECT_EQ(content, "precious");
}

TEST_F(SysctlChangerTest, UsesNoJournalThatOthersMayWrite) {
  ASSERT_EQ(mkdir(m_host.journal().c_str(), 0700), 0);
  ASSERT_EQ(chmod(m_host.journal().c_str(), 0777), 0);
  EXPECT_EQ(kindOf(m_host.changes().apply({{{test::kSack, "0"}}, {}, false, {}})), ChangeErrorKind::missingRight);
  std::filesystem::remove(m_host.journal());
  std::filesystem::create_directory_symlink("/tmp", m_host.journal());
  EXPECT_EQ(kindOf(m_host.changes().apply({{{test::kSack, "0"}}, {}, false, {}})), ChangeErrorKind::journalFailed);
  EXPECT_EQ(ChangedHost::setting(test::kSack), "1");
}

TEST_F(SysctlChangerTest, WhatMayNotBeWrittenIsNoChangeInTheJournal) {
  constexpr uid_t kOtherUser = 65534;
  const uid_t self = geteuid();
  // root may write everything, and a user of a namespace of his own has no one else there.
  const bool mayBecomeAnother = chown(m_host.journal().parent_path().c_str(), kOtherUser, kOtherUser) == 0;
  if (!mayBecomeAnother || seteuid(kOtherUser) != 0) GTEST_SKIP() << "no other user to become: run as root";
  const auto refused = m_host.changes().apply({{{test::kSack, "0"}}, {}, false, {}});
  const auto journalled = m_host.changes().list();
  ASSERT_EQ(seteuid(self), 0);
  EXPECT_EQ(kindOf(refused), ChangeErrorKind::missingRight);
  ASSERT_TRUE(journalled);
  EXPECT_TRUE(journalled->empty());
}

TEST_F(SysctlChangerTest, ChangesNothingWithAJournalThatLostSomething) {
  const ChangeRecord record = applied({{test::kSack, "0"}});
  const std::filesystem::path file = m_host.journal() / "0000000001.change";
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 1);
  EXPECT_EQ(kindOf(m_host.changes().apply({{{test::kSack, "1"}}, {}, false, {}})), ChangeErrorKind::journalDamaged);
  EXPECT_EQ(m_host.changes().revert(record.id).error().kind, ChangeErrorKind::journalDamaged);
}

}  // namespace
}  // namespace tcpscope
