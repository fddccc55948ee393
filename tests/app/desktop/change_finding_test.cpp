// What became of a change whose answer was lost, from the journal of its place.
#include "app/desktop/change_finding.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

using Phase = HostChangePhase;

const ChangedSetting kSackOff{"net.ipv4.tcp_sack", "1", "0"};

JournalledChange journalled(std::uint32_t number, ChangeState state) {
  return {number, state, "boot", Milliseconds(7000), {kSackOff}};
}

LostStep lostApply() {
  return {Phase::changing, 0, "boot", {{kSackOff.key, kSackOff.original, kSackOff.wanted, {}}}};
}

LostStep lostStep(Phase step, std::uint32_t change) {
  return {step, change, "boot", {}};
}

TEST(ChangeFinding, TakesTheChangeThatWaitsForTheOneThatWasLost) {
  const auto found =
      findingIn({journalled(1, ChangeState::reverted), journalled(2, ChangeState::applied)}, lostApply());
  EXPECT_EQ(found.phase, Phase::inForce);
  EXPECT_EQ(found.change, 2U);
  EXPECT_EQ(found.age, Milliseconds(7000));
}

TEST(ChangeFinding, TakesNoOlderOrOtherChangeForIt) {
  EXPECT_EQ(findingIn(std::vector<JournalledChange>(), lostApply()).phase, Phase::previewed);
  EXPECT_EQ(findingIn({journalled(1, ChangeState::confirmed)}, lostApply()).phase, Phase::previewed);
  JournalledChange other = journalled(1, ChangeState::applied);
  other.settings[0].wanted = "2";
  EXPECT_EQ(findingIn({other}, lostApply()).phase, Phase::previewed);
  other = journalled(1, ChangeState::applied);
  other.bootId = "another";
  EXPECT_EQ(findingIn({other}, lostApply()).phase, Phase::previewed);
  other = journalled(1, ChangeState::applied);
  other.settings.clear();
  EXPECT_EQ(findingIn({other}, lostApply()).phase, Phase::previewed);
}

TEST(ChangeFinding, FollowsAChangeByItsNumber) {
  const auto phaseAfter = [](ChangeState state) {
    return findingIn({journalled(3, state), journalled(4, ChangeState::applied)}, lostStep(Phase::keeping, 3)).phase;
  };
  EXPECT_EQ(phaseAfter(ChangeState::applied), Phase::inForce);
  EXPECT_EQ(phaseAfter(ChangeState::confirmed), Phase::kept);
  EXPECT_EQ(phaseAfter(ChangeState::reverted), Phase::undone);
  EXPECT_EQ(phaseAfter(ChangeState::preparing), Phase::notKnown);
}

TEST(ChangeFinding, DoesNotGuessWhereTheJournalLostIt) {
  EXPECT_EQ(findingIn({journalled(1, ChangeState::applied)}, lostStep(Phase::undoing, 3)).phase, Phase::notKnown);
}

TEST(ChangeFinding, TellsOptionsByWhatCanBeUndone) {
  ChangeAnswer options;
  EXPECT_EQ(findingIn(options, lostStep(Phase::changing, 0)).phase, Phase::previewed);
  EXPECT_EQ(findingIn(options, lostStep(Phase::undoing, 0)).phase, Phase::undone);
  options.canUndo = true;
  EXPECT_EQ(findingIn(options, lostStep(Phase::changing, 0)).phase, Phase::inForce);
}

}  // namespace
}  // namespace tcpscope
