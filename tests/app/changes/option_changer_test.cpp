// Real sockets of a real process, changed from outside: what counts is what that process sees.
#include "app/changes/execute/option_changer.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>

#include "app/changes/execute/socket_options.h"
#include "app/changes/journal/option_journal.h"
#include "core/changes/tune_plan.h"
#include "tests/app/changes/option_changer_fixture.h"
#include "tests/support/socket_owner.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;

constexpr int kBufferLock = 72;
constexpr int kSmall = test::kSmallBuffer;
constexpr const char* kBoot = "3718446b-17c4-4e19-8e90-73bdad938571";

class OptionChangerTest : public test::OptionChangerFixture {};

TEST_F(OptionChangerTest, ShowsWhatTheProgramSet) {
  m_owner.setOption(IPPROTO_TCP, TCP_NODELAY, 1);
  const auto report = m_tuner->show();
  ASSERT_TRUE(report);
  EXPECT_EQ(report->values.number(SocketOption::sendBuffer), 2U * kSmall);
  EXPECT_EQ(report->setterOf(SocketOption::sendBuffer), OptionSetter::program);
  EXPECT_EQ(report->setterOf(SocketOption::receiveBuffer), OptionSetter::automatic);
  EXPECT_EQ(report->values.number(SocketOption::noDelay), 1U);
  EXPECT_EQ(report->values.number(SocketOption::maxPacingRate), kUnlimited);
  EXPECT_FALSE(std::filesystem::exists(m_folder)) << "reading leaves nothing behind";
}

TEST_F(OptionChangerTest, TheProgramSeesTheLargerBuffer) {
  const TuneReport report = tune({"SO_SNDBUF=1MiB"});
  EXPECT_EQ(m_owner.sendBuffer(), 2 << 20);
  EXPECT_EQ(report.setterOf(SocketOption::sendBuffer), OptionSetter::tcpscope);
}

TEST_F(OptionChangerTest, UndoRestoresEveryOption) {
  const OptionValues before = m_tuner->show()->values;
  tune({"SO_SNDBUF=1MiB", "SO_RCVBUF=1MiB", "TCP_NODELAY=on", "SO_MAX_PACING_RATE=10Mbit", "TCP_WINDOW_CLAMP=32KiB",
        "TCP_NOTSENT_LOWAT=128KiB", "TCP_USER_TIMEOUT=30s", "SO_KEEPALIVE=on", "TCP_KEEPIDLE=60s", "TCP_CORK=on"});
  EXPECT_EQ(m_owner.option(IPPROTO_TCP, TCP_NODELAY), 1);
  EXPECT_EQ(m_owner.option(IPPROTO_TCP, TCP_USER_TIMEOUT), 30'000);
  tune({"SO_SNDBUF=512KiB", "TCP_USER_TIMEOUT=40s"});
  EXPECT_TRUE(std::filesystem::exists(file()));
  const TuneReport report = undo();
  EXPECT_THAT(report.leftAlone, ::testing::IsEmpty());
  OptionValues after = report.values;
  // More room than before in a buffer that is the kernel's again is no loss, and not taken back.
  EXPECT_GE(after.number(SocketOption::receiveBuffer), before.number(SocketOption::receiveBuffer));
  after[SocketOption::receiveBuffer] = before[SocketOption::receiveBuffer];
  for (const SocketOptionRow& row : socketOptions()) EXPECT_EQ(after[row.id], before[row.id]) << row.name;
  EXPECT_EQ(m_owner.sendBuffer(), 2 * kSmall);
  EXPECT_FALSE(std::filesystem::exists(file()));
  EXPECT_EQ(m_tuner->undo().error().kind, TuneErrorKind::nothingToUndo);
}

TEST_F(OptionChangerTest, AnUndoReportsABufferThatIsNotShrunk) {
  tune({"SO_RCVBUF=4MiB"});
  const TuneReport report = undo();
  EXPECT_THAT(report.notes, ::testing::Contains(TuneNote{TuneNoteKind::notShrunk, SocketOption::receiveBuffer,
                                                         report.values.number(SocketOption::receiveBuffer)}));
  tune({"SO_SNDBUF=1MiB"});
  EXPECT_THAT(undo().notes, ::testing::IsEmpty()) << "of a size that the program had set";
}

TEST_F(OptionChangerTest, TheKernelTunesAgainWhatWasUnlocked) {
  EXPECT_EQ(m_owner.option(SOL_SOCKET, kBufferLock), 1);
  tune({"SO_BUF_LOCK=none"});
  EXPECT_EQ(m_owner.option(SOL_SOCKET, kBufferLock), 0);
  EXPECT_GT(m_owner.sendUntilBufferExceeds(2 * kSmall), 2 * kSmall);
  EXPECT_THAT(undo().leftAlone, ::testing::IsEmpty()) << "autotuning by the kernel is not an outside change";
  EXPECT_EQ(m_owner.sendBuffer(), 2 * kSmall);
  EXPECT_EQ(m_owner.option(SOL_SOCKET, kBufferLock), 1);
}

TEST_F(OptionChangerTest, ATrialIsRevertedAtItsDeadline) {
  const TuneReport report = tuneOnTrial({"SO_SNDBUF=1MiB", "TCP_NODELAY=on"});
  EXPECT_EQ(report.revertsIn, Nanoseconds(60s));
  ASSERT_EQ(m_timers.size(), 1U);
  EXPECT_EQ(m_timers[0].deadline, Nanoseconds(160s));
  advanceTo(159s);
  EXPECT_EQ(m_tuner->show()->revertsIn, Nanoseconds(1s));
  EXPECT_EQ(m_owner.sendBuffer(), 2 << 20);
  advanceTo(160s);
  EXPECT_EQ(m_owner.sendBuffer(), 2 * kSmall);
  EXPECT_EQ(m_owner.option(IPPROTO_TCP, TCP_NODELAY), 0);
  EXPECT_FALSE(m_tuner->show()->revertsIn);
  EXPECT_EQ(m_tuner->confirm().error().kind, TuneErrorKind::notOnTrial);
  EXPECT_EQ(m_tuner->undo().error().kind, TuneErrorKind::nothingToUndo);
  EXPECT_EQ(m_mostHeld, 0) << "the timer inherits no duplicate";
}

/// With the clock and the timer of the system.
TEST_F(OptionChangerTest, IsRevertedByItsTimerWithoutConfirmation) {
  OptionChanger::Parts parts;
  parts.open = [this] { return openConnection(m_owner.pid(), m_owner.connection()); };
  parts.key = m_key;
  parts.folder = m_folder;
  ASSERT_TRUE(OptionChanger(parts).tune(*parseOptionChanges({"SO_SNDBUF=1MiB"}), 200ms));
  while (m_owner.sendBuffer() != 2 * kSmall) usleep(1000);
  while (std::filesystem::exists(file())) usleep(1000);
}

TEST_F(OptionChangerTest, AConfirmedTrialStaysAndCanBeUndone) {
  tuneOnTrial({"SO_SNDBUF=1MiB"});
  const auto confirmed = m_tuner->confirm();
  ASSERT_TRUE(confirmed);
  EXPECT_EQ(confirmed->action, TuneAction::confirm);
  EXPECT_EQ(confirmed->changes.size(), 2U) << "the size and its lock";
  EXPECT_FALSE(confirmed->revertsIn);
  EXPECT_EQ(m_tuner->confirm().error().kind, TuneErrorKind::notOnTrial);
  advanceTo(200s);
  EXPECT_EQ(m_owner.sendBuffer(), 2 << 20);
  undo();
  EXPECT_EQ(m_owner.sendBuffer(), 2 * kSmall);
}

TEST_F(OptionChangerTest, TheEndOfATrialRestoresKeptChangesAndUndoTheOriginals) {
  tune({"SO_SNDBUF=512KiB", "TCP_USER_TIMEOUT=30s"});
  tuneOnTrial({"SO_SNDBUF=1MiB", "TCP_NODELAY=on"});
  advanceTo(160s);
  EXPECT_EQ(m_owner.sendBuffer(), 1 << 20);
  EXPECT_EQ(m_owner.option(IPPROTO_TCP, TCP_NODELAY), 0);
  EXPECT_EQ(m_owner.option(IPPROTO_TCP, TCP_USER_TIMEOUT), 30'000);
  EXPECT_THAT(undo().leftAlone, ::testing::IsEmpty());
  EXPECT_EQ(m_owner.sendBuffer(), 2 * kSmall);
  EXPECT_EQ(m_owner.option(IPPROTO_TCP, TCP_USER_TIMEOUT), 0);
}

TEST_F(OptionChangerTest, UndoEndsATrialWithTheOriginals) {
  tune({"SO_SNDBUF=512KiB"});
  tuneOnTrial({"SO_SNDBUF=1MiB"});
  undo();
  EXPECT_EQ(m_owner.sendBuffer(), 2 * kSmall);
  tune({"SO_SNDBUF=2MiB"});
  advanceTo(160s);
  EXPECT_EQ(m_owner.sendBuffer(), 4 << 20) << "the timer of the ended trial leaves a later change alone";
}

TEST_F(OptionChangerTest, ATrialThatReplacesAnotherEndsItFirst) {
  tune({"TCP_USER_TIMEOUT=30s"});
  tuneOnTrial({"SO_SNDBUF=1MiB", "TCP_NODELAY=on"});
  const auto changes = *parseOptionChanges({"SO_SNDBUF=2MiB"});
  ASSERT_TRUE(m_tuner->tune(changes, 60s, OptionChanger::RunningTrial::replaced));
  EXPECT_EQ(m_owner.sendBuffer(), 4 << 20);
  EXPECT_EQ(m_owner.option(IPPROTO_TCP, TCP_NODELAY), 0) << "what the former one changed is restored";
  advanceTo(160s);
  EXPECT_EQ(m_owner.sendBuffer(), 2 * kSmall) << "the end restores the original, not a value between";
  EXPECT_EQ(m_owner.option(IPPROTO_TCP, TCP_USER_TIMEOUT), 30'000) << "what was kept stays";
}

TEST_F(OptionChangerTest, ATrialIsFollowedByNoOtherChangeUntilItIsDecided) {
  tuneOnTrial({"SO_SNDBUF=1MiB"});
  const auto changes = *parseOptionChanges({"TCP_NODELAY=on"});
  EXPECT_EQ(m_tuner->tune(changes).error().kind, TuneErrorKind::onTrial);
  EXPECT_EQ(m_tuner->tune(changes, 60s).error().kind, TuneErrorKind::onTrial);
  EXPECT_EQ(m_owner.option(IPPROTO_TCP, TCP_NODELAY), 0);
  // Its timer was killed: the next change ends it.
  m_timers.clear();
  m_now = 160s;
  EXPECT_TRUE(m_tuner->tune(changes));
  EXPECT_EQ(m_owner.sendBuffer(), 2 * kSmall);
  EXPECT_EQ(m_owner.option(IPPROTO_TCP, TCP_NODELAY), 1);
}

TEST_F(OptionChangerTest, ATrialIsOverAtItsDeadlineThoughItsTimerWasKilled) {
  for (const bool isConfirmed : {false, true}) {
    m_now = 100s;
    tuneOnTrial({"SO_SNDBUF=1MiB"});
    m_timers.clear();
    m_now = 160s;
    if (isConfirmed) {
      EXPECT_EQ(m_tuner->confirm().error().kind, TuneErrorKind::notOnTrial);
    } else {
      EXPECT_FALSE(m_tuner->show()->revertsIn);
    }
    EXPECT_EQ(m_owner.sendBuffer(), 2 * kSmall);
    EXPECT_FALSE(std::filesystem::exists(file()));
  }
}

TEST_F(OptionChangerTest, TheEndOfATrialLeavesOutsideChangesAlone) {
  tuneOnTrial({"SO_SNDBUF=1MiB", "TCP_NODELAY=on"});
  m_owner.setOption(SOL_SOCKET, SO_SNDBUF, 100'000);
  advanceTo(160s);
  EXPECT_EQ(m_owner.sendBuffer(), 200'000);
  EXPECT_EQ(m_owner.option(IPPROTO_TCP, TCP_NODELAY), 0);
}

TEST_F(OptionChangerTest, AnInterruptedTrialIsNotConfirmedAndEndsAtItsDeadline) {
  const auto changes = *parseOptionChanges({"SO_SNDBUF=1MiB"});
  {
    // All that is on disk when the program ends right after the first option was set.
    TuneRecord record = recordBefore({m_key, {}}, changes, m_tuner->show()->values);
    record.trial = TuneTrial{160s, m_owner.connection().inode, record.options, {}};
    ASSERT_TRUE(OptionJournal::open(m_folder, m_key)->store(record));
    m_owner.setOption(SOL_SOCKET, SO_SNDBUF, 1 << 20);
  }
  EXPECT_EQ(m_tuner->confirm().error().kind, TuneErrorKind::interrupted);
  m_now = 160s;
  m_tuner->settle();
  EXPECT_EQ(m_owner.sendBuffer(), 2 * kSmall);
}

TEST_F(OptionChangerTest, WithoutATimerNothingIsChanged) {
  m_timerError = EAGAIN;
  EXPECT_EQ(m_tuner->tune(*parseOptionChanges({"SO_SNDBUF=1MiB"}), 60s).error().kind, TuneErrorKind::timerFailed);
  EXPECT_EQ(m_owner.sendBuffer(), 2 * kSmall);
  EXPECT_FALSE(std::filesystem::exists(file()));
}

TEST_F(OptionChangerTest, ARecordIsClosedWhereTheSocketIsGoneAndKeptWhereItIsHidden) {
  tuneOnTrial({"SO_SNDBUF=1MiB"});
  m_openError = TuneErrorKind::noOwner;
  advanceTo(160s);
  EXPECT_TRUE(std::filesystem::exists(file()));
  m_openError = TuneErrorKind::gone;
  m_tuner->settle();
  EXPECT_FALSE(std::filesystem::exists(file()));
}

TEST_F(OptionChangerTest, AnInterruptedUndoIsCompletedThoughABufferIsNotShrunk) {
  tune({"SO_RCVBUF=4MiB"});
  // All that was done when a full disk or a kill ended the undo before its record.
  m_owner.setOption(SOL_SOCKET, kBufferLock, 1);
  EXPECT_THAT(undo().leftAlone, ::testing::IsEmpty());
  EXPECT_FALSE(std::filesystem::exists(file()));
}

TEST_F(OptionChangerTest, AnUndoCompletesTheInterruptedEndOfATrial) {
  tune({"SO_SNDBUF=512KiB"});
  tuneOnTrial({"SO_SNDBUF=1MiB"});
  m_timers.clear();
  m_now = 160s;
  m_owner.setOption(SOL_SOCKET, SO_SNDBUF, 512 << 10);
  EXPECT_THAT(undo().leftAlone, ::testing::IsEmpty());
  EXPECT_EQ(m_owner.sendBuffer(), 2 * kSmall);
}

TEST_F(OptionChangerTest, ATrialOfNothingLeavesTheRecordReadable) {
  tune({"SO_SNDBUF=1MiB"});
  EXPECT_FALSE(tuneOnTrial({}).revertsIn);
  EXPECT_FALSE(m_tuner->show()->record.trial);
  undo();
  EXPECT_EQ(m_owner.sendBuffer(), 2 * kSmall);
}

TEST_F(OptionChangerTest, ATimerWithoutARecordCreatesNothing) {
  tuneOnTrial({"SO_SNDBUF=1MiB"});
  undo();
  std::filesystem::remove_all(m_folder);
  advanceTo(160s);
  EXPECT_FALSE(std::filesystem::exists(m_folder));
}

TEST_F(OptionChangerTest, AnotherProcessThatHoldsTheSocketIsFound) {
  SocketObservation connection = m_owner.connection();
  EXPECT_TRUE(openConnection(connection));
  connection.id.cookie += 1;
  EXPECT_EQ(openConnection(connection).error().kind, TuneErrorKind::otherSocket);
}

/// The record alone leads to the socket.
TEST_F(OptionChangerTest, EveryOverdueTrialOfThisBootIsReverted) {
  tuneOnTrial({"SO_SNDBUF=1MiB"}, Nanoseconds(-99s));
  settleTrials(m_folder, std::string(kBoot).replace(0, 1, "4"));
  EXPECT_EQ(m_owner.sendBuffer(), 2 << 20);
  settleTrials(m_folder, kBoot);
  EXPECT_EQ(m_owner.sendBuffer(), 2 * kSmall);
  EXPECT_FALSE(std::filesystem::exists(file()));
}

TEST_F(OptionChangerTest, UndoLeavesAloneWhatTheProgramChangedSince) {
  tune({"SO_SNDBUF=1MiB", "TCP_NODELAY=on"});
  m_owner.setOption(SOL_SOCKET, SO_SNDBUF, 100'000);
  const TuneReport report = undo();
  ASSERT_EQ(report.leftAlone.size(), 1U);
  EXPECT_EQ(report.leftAlone.front().option, SocketOption::sendBuffer);
  EXPECT_EQ(m_owner.sendBuffer(), 200'000);
  EXPECT_EQ(m_owner.option(IPPROTO_TCP, TCP_NODELAY), 0);
}

TEST_F(OptionChangerTest, ARefusedOptionLeavesTheOthersAsTheyWere) {
  const auto report =
      m_tuner->tune(*parseOptionChanges({"SO_SNDBUF=1MiB", "TCP_NODELAY=on", "TCP_CONGESTION=nonesuch"}));
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().kind, TuneErrorKind::optionRefused);
  EXPECT_EQ(report.error().option, SocketOption::congestionControl);
  EXPECT_EQ(m_owner.sendBuffer(), 2 * kSmall);
  EXPECT_EQ(m_owner.option(IPPROTO_TCP, TCP_NODELAY), 0);
  EXPECT_FALSE(std::filesystem::exists(file()));
}

TEST_F(OptionChangerTest, WhatACrashInterruptedCanBeUndone) {
  {
    // All that is on disk when the program ends right after the first option was set.
    const auto store = OptionJournal::open(m_folder, m_key);
    ASSERT_TRUE(store);
    const auto changes = *parseOptionChanges({"SO_SNDBUF=1MiB"});
    ASSERT_TRUE(store->store(recordBefore({m_key, {}}, changes, m_tuner->show()->values)));
    m_owner.setOption(SOL_SOCKET, SO_SNDBUF, 1 << 20);
  }
  EXPECT_THAT(undo().leftAlone, ::testing::IsEmpty());
  EXPECT_EQ(m_owner.sendBuffer(), 2 * kSmall);
}

TEST_F(OptionChangerTest, NoDuplicateStaysOpenAfterAStep) {
  ASSERT_TRUE(m_tuner->show());
  EXPECT_EQ(duplicatesHere(), 0);
  tune({"SO_SNDBUF=1MiB"});
  EXPECT_EQ(duplicatesHere(), 0);
  undo();
  EXPECT_EQ(duplicatesHere(), 0);
  EXPECT_EQ(m_mostHeld, 0) << "and none is open between the steps";
}

TEST_F(OptionChangerTest, ThePeerReceivesTheFinWhileAChangeIsMeasured) {
  tune({"SO_SNDBUF=1MiB"});
  EXPECT_TRUE(m_owner.closeConnection()) << "the measurement keeps the changer, not the socket";
  EXPECT_EQ(m_tuner->show().error().kind, TuneErrorKind::gone);
}

TEST_F(OptionChangerTest, ThePeerReceivesTheFinWhileTheWindowClampIsPolled) {
  std::optional<bool> ended;
  m_beforeOpening = [&] {
    const bool isUnlockedClamp =
        m_owner.option(IPPROTO_TCP, TCP_WINDOW_CLAMP) == 32'768 && m_owner.option(SOL_SOCKET, kBufferLock) == 0;
    if (isUnlockedClamp && !ended) ended = m_owner.closeConnection();
  };
  const auto report = m_tuner->tune(*parseOptionChanges({"TCP_WINDOW_CLAMP=32KiB", "SO_BUF_LOCK=none"}));
  EXPECT_EQ(report.error().kind, TuneErrorKind::gone);
  EXPECT_EQ(ended, true);
  EXPECT_EQ(m_mostHeld, 0);
}

TEST_F(OptionChangerTest, TheWindowClampIsPolledUntilItIsRewritten) {
  m_beforeOpening = [&] {
    const bool isUnlockedClamp =
        m_owner.option(IPPROTO_TCP, TCP_WINDOW_CLAMP) == 32'768 && m_owner.option(SOL_SOCKET, kBufferLock) == 0;
    // Between the first reading and the next, as autotuning would.
    if (isUnlockedClamp && m_opened >= 3) m_owner.setOption(IPPROTO_TCP, TCP_WINDOW_CLAMP, 40'000);
  };
  const TuneReport report = tune({"TCP_WINDOW_CLAMP=32KiB", "SO_BUF_LOCK=none"});
  EXPECT_EQ(report.values.number(SocketOption::windowClamp), 40'000U);
  EXPECT_EQ(m_mostHeld, 0);
}

TEST_F(OptionChangerTest, AnotherCookieIsAnotherConnection) {
  SocketObservation other = m_owner.connection();
  other.id.cookie += 1;
  EXPECT_EQ(openConnection(m_owner.pid(), other).error().kind, TuneErrorKind::otherSocket);
}

TEST_F(OptionChangerTest, AnEndedProcessIsGone) {
  const pid_t pid = m_owner.pid();
  m_owner.end();
  EXPECT_EQ(openConnection(pid, m_owner.connection()).error().kind, TuneErrorKind::gone);
}

TEST_F(OptionChangerTest, AnotherUserIsTurnedAway) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can become another user";
  const pid_t stranger = fork();
  if (stranger == 0) {
    constexpr uid_t kUnprivilegedUser = 65534;
    if (setuid(kUnprivilegedUser) != 0) _exit(2);
    const auto socket = openConnection(m_owner.pid(), m_owner.connection());
    _exit(!socket && socket.error().kind == TuneErrorKind::notPermitted ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(stranger, &status, 0), stranger);
  EXPECT_EQ(status, 0);
}

TEST_F(OptionChangerTest, ADamagedRecordChangesNothing) {
  tune({"SO_SNDBUF=1MiB"});
  std::ofstream(file(), std::ios::app) << "more";
  const auto report = m_tuner->undo();
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().kind, TuneErrorKind::recordUnreadable);
  EXPECT_EQ(report.error().errorNumber, 0);
  EXPECT_EQ(m_owner.sendBuffer(), 2 << 20);
}

TEST_F(OptionChangerTest, NothingIsChangedWithoutAWayBack) {
  // A folder that others may write to, and a link in place of one.
  std::filesystem::create_directories(m_folder);
  std::filesystem::permissions(m_folder, std::filesystem::perms::all);
  EXPECT_EQ(m_tuner->tune(*parseOptionChanges({"SO_SNDBUF=1MiB"})).error().kind, TuneErrorKind::recordNotWritten);
  std::filesystem::rename(m_folder, m_folder.string() + "-elsewhere");
  std::filesystem::create_directory_symlink(m_folder.string() + "-elsewhere", m_folder);
  EXPECT_EQ(m_tuner->tune(*parseOptionChanges({"SO_SNDBUF=1MiB"})).error().kind, TuneErrorKind::recordNotWritten);
  EXPECT_EQ(m_owner.sendBuffer(), 2 * kSmall);
}

TEST_F(OptionChangerTest, RecordsOfEarlierBootsGo) {
  TuneKey earlier = m_key;
  earlier.bootId[0] = '4';
  ASSERT_TRUE(OptionJournal::open(m_folder, earlier)->store({earlier, {{SocketOption::noDelay, {}, std::nullopt}}}));
  ASSERT_TRUE(std::filesystem::exists(m_folder / earlier.fileName()));
  tune({"SO_SNDBUF=1MiB"});
  EXPECT_FALSE(std::filesystem::exists(m_folder / earlier.fileName()));
  EXPECT_EQ(std::filesystem::status(file()).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

}  // namespace
}  // namespace tcpscope
