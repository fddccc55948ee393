#include "core/changes/tune_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/changes/tune_report.h"

namespace tcpscope {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using enum SocketOption;

OptionChange change(SocketOption option, std::uint64_t number) {
  return {option, {number, {}}};
}

/// A socket whose program fixed its send buffer at 64 KiB.
OptionValues lockedSender() {
  OptionValues values;
  values[sendBuffer] = {131'072, {}};
  values[receiveBuffer] = {131'072, {}};
  values[bufferLock] = {kSendBufferLock, {}};
  values[windowClamp] = {65'536, {}};
  values[noDelay] = {0, {}};
  values[maxPacingRate] = {kUnlimited, {}};
  return values;
}

OptionValues with(OptionValues values, SocketOption option, std::uint64_t number) {
  values[option] = {number, {}};
  return values;
}

/// The record of these changes, after which the socket's values are `after`.
TuneRecord recordOf(const std::vector<OptionChange>& changes, const OptionValues& before, const OptionValues& after) {
  return recordAfter(recordBefore({}, completeChanges(changes, before), before), after);
}

TEST(TunePlan, SetsTheLocksLast) {
  EXPECT_THAT(completeChanges({change(bufferLock, 0), change(sendBuffer, 1 << 20)}, lockedSender()),
              ElementsAre(change(sendBuffer, 1 << 20), change(bufferLock, 0)));
}

TEST(TunePlan, LocksTheReceiveBufferWithAWindowClamp) {
  EXPECT_THAT(completeChanges({change(windowClamp, 32'768)}, lockedSender()),
              ElementsAre(change(windowClamp, 32'768), change(bufferLock, kSendBufferLock | kReceiveBufferLock)));
  EXPECT_THAT(completeChanges({change(windowClamp, 32'768), change(bufferLock, 0)}, lockedSender()),
              ElementsAre(change(windowClamp, 32'768), change(bufferLock, 0)))
      << "who names the locks means them";
  EXPECT_THAT(completeChanges({change(windowClamp, 32'768)}, with(lockedSender(), bufferLock, kReceiveBufferLock)),
              ElementsAre(change(windowClamp, 32'768)));
}

TEST(TunePlan, UndoneRaiseHalvesTheSizeThatIsRead) {
  const OptionValues after = with(lockedSender(), sendBuffer, 8 << 20);
  const UndoPlan plan = planUndo(recordOf({change(sendBuffer, 4 << 20)}, lockedSender(), after), after);
  EXPECT_THAT(plan.restore, ElementsAre(change(sendBuffer, 65'536)));
  EXPECT_THAT(plan.leftAlone, IsEmpty());
  EXPECT_THAT(plan.stays.options, IsEmpty());
}

TEST(TunePlan, UndoneUnlockRestoresTheSizeThatGrewMeanwhile) {
  const OptionValues after = with(lockedSender(), bufferLock, 0);
  const TuneRecord record = recordOf({change(bufferLock, 0)}, lockedSender(), after);
  EXPECT_THAT(planUndo(record, with(after, sendBuffer, 4 << 20)).restore, ElementsAre(change(sendBuffer, 65'536)))
      << "setting the size locks it as it was";
  EXPECT_THAT(planUndo(record, after).restore, ElementsAre(change(bufferLock, kSendBufferLock)));
}

TEST(TunePlan, UndoneLockGivesTheBufferBackToTheKernel) {
  const OptionValues before = with(lockedSender(), bufferLock, 0);
  OptionValues after = with(before, sendBuffer, 32'768);
  after = with(after, bufferLock, kSendBufferLock);
  const UndoPlan plan = planUndo(recordOf({change(sendBuffer, 16'384)}, before, after), after);
  EXPECT_THAT(plan.restore, ElementsAre(change(sendBuffer, 65'536), change(bufferLock, 0)));
}

TEST(TunePlan, LeavesOutsideChangesAlone) {
  OptionValues after = with(lockedSender(), sendBuffer, 8 << 20);
  after = with(after, noDelay, 1);
  const TuneRecord record = recordOf({change(sendBuffer, 4 << 20), change(noDelay, 1)}, lockedSender(), after);
  const UndoPlan plan = planUndo(record, with(after, sendBuffer, 200'000));
  EXPECT_THAT(plan.restore, ElementsAre(change(noDelay, 0)));
  ASSERT_EQ(plan.leftAlone.size(), 1U);
  EXPECT_EQ(plan.leftAlone.front().option, sendBuffer);
  EXPECT_NE(plan.stays.find(sendBuffer), nullptr);
  EXPECT_EQ(plan.stays.find(noDelay), nullptr);
}

TEST(TunePlan, LeavesABufferAloneThatTheProgramLockedAgain) {
  const OptionValues unlocked = with(lockedSender(), bufferLock, 0);
  const TuneRecord record = recordOf({change(bufferLock, 0)}, lockedSender(), unlocked);
  OptionValues now = with(unlocked, bufferLock, kSendBufferLock);
  now = with(now, sendBuffer, 300'000);
  const UndoPlan plan = planUndo(record, now);
  EXPECT_THAT(plan.restore, IsEmpty());
  EXPECT_EQ(plan.leftAlone.size(), 1U);
}

TEST(TunePlan, GoesOnWithAnUndoThatWasCutShort) {
  OptionValues after = with(lockedSender(), sendBuffer, 8 << 20);
  after = with(after, noDelay, 1);
  const TuneRecord record = recordOf({change(sendBuffer, 4 << 20), change(noDelay, 1)}, lockedSender(), after);
  const UndoPlan plan = planUndo(record, with(after, sendBuffer, 131'072));
  EXPECT_THAT(plan.restore, ElementsAre(change(noDelay, 0)));
  EXPECT_THAT(plan.leftAlone, IsEmpty());
}

TEST(TunePlan, RestoresWhatACrashLeftWithoutALookAtIt) {
  const TuneRecord record = recordBefore({}, {change(noDelay, 1)}, lockedSender());
  EXPECT_THAT(planUndo(record, with(lockedSender(), noDelay, 1)).restore, ElementsAre(change(noDelay, 0)));
}

TEST(TunePlan, KeepsTheFirstOriginalOverSeveralChanges) {
  const OptionValues first = with(lockedSender(), maxPacingRate, 1'000'000);
  TuneRecord record = recordOf({change(maxPacingRate, 1'000'000)}, lockedSender(), first);
  const OptionValues second = with(first, maxPacingRate, 2'000'000);
  record = recordAfter(recordBefore(record, {change(maxPacingRate, 2'000'000)}, first), second);
  EXPECT_THAT(planUndo(record, second).restore, ElementsAre(change(maxPacingRate, kUnlimited)));
}

TEST(TunePlan, TakesAForeignValueForTheOriginalOfALaterChange) {
  const OptionValues first = with(lockedSender(), maxPacingRate, 1'000'000);
  TuneRecord record = recordOf({change(maxPacingRate, 1'000'000)}, lockedSender(), first);
  const OptionValues foreign = with(first, maxPacingRate, 3'000'000);
  const OptionValues second = with(first, maxPacingRate, 2'000'000);
  record = recordAfter(recordBefore(record, {change(maxPacingRate, 2'000'000)}, foreign), second);
  EXPECT_THAT(planUndo(record, second).restore, ElementsAre(change(maxPacingRate, 3'000'000)));
}

std::vector<TuneNoteKind> kinds(const std::vector<TunedOption>& changes, const OptionValues& before,
                                const OptionValues& after, std::optional<std::uint64_t> largestWindow = {},
                                bool isUndo = false) {
  SysctlValues settings;
  settings.set("net.ipv4.tcp_rmem", "4096 131072 33554432");
  std::vector<TuneNoteKind> found;
  for (const TuneNote& note : notesOn({changes, before, after, largestWindow, settings, isUndo}))
    found.push_back(note.kind);
  return found;
}

TEST(TuneNotes, SayThatALimitOfTheMachineHeld) {
  const OptionValues after = with(lockedSender(), sendBuffer, 8 << 20);
  EXPECT_THAT(
      kinds({{sendBuffer, lockedSender()[sendBuffer], {32 << 20, {}}, after[sendBuffer]}}, lockedSender(), after),
      ElementsAre(TuneNoteKind::capped));
}

TEST(TuneNotes, SayWhereOnlyAReconnectHelps) {
  const OptionValues before = with(lockedSender(), bufferLock, kReceiveBufferLock);
  const OptionValues after = with(before, bufferLock, 0);
  const std::vector<TunedOption> changes = {{bufferLock, before[bufferLock], {0, {}}, after[bufferLock]}};
  EXPECT_THAT(kinds(changes, before, after, largestWindow(1)), ElementsAre(TuneNoteKind::windowScaleHolds));
  EXPECT_THAT(kinds(changes, before, after, largestWindow(10)), IsEmpty());
}

TEST(TuneNotes, OfAnUndoSayNothingOfAnAutotuningThatWasOffBefore) {
  const OptionValues before = with(with(lockedSender(), bufferLock, 0), sendBuffer, 4 << 20);
  const OptionValues after = lockedSender();
  const std::vector<TunedOption> changes = {{sendBuffer, before[sendBuffer], *after[sendBuffer], after[sendBuffer]}};
  EXPECT_THAT(kinds(changes, before, after, {}, false), ElementsAre(TuneNoteKind::autoTuningOff));
  EXPECT_THAT(kinds(changes, before, after, {}, true), IsEmpty());
}

TEST(TuneNotes, SayThatASmallerReceiveBufferMayLeaveASmallWindow) {
  const OptionValues before = with(with(lockedSender(), receiveBuffer, 2 << 20), bufferLock, 3);
  const OptionValues after = with(before, receiveBuffer, 16 << 10);
  EXPECT_THAT(
      kinds({{receiveBuffer, before[receiveBuffer], {16 << 10, {}}, after[receiveBuffer]}}, before, after, {}, true),
      ElementsAre(TuneNoteKind::windowMayStaySmall));
}

TEST(TuneNotes, SayThatTheClampStillHolds) {
  OptionValues after = with(lockedSender(), receiveBuffer, 2 << 20);
  after = with(after, bufferLock, 3);
  const OptionValues before = with(lockedSender(), bufferLock, 3);
  EXPECT_THAT(kinds({{receiveBuffer, before[receiveBuffer], {2 << 20, {}}, after[receiveBuffer]}}, before, after),
              ElementsAre(TuneNoteKind::clampHolds));
}

}  // namespace
}  // namespace tcpscope
