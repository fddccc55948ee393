// The outcome of a step whose report was lost, from the journal of its place.
#include "app/desktop/lost_step.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

using Phase = HostChangePhase;

const ChangedSetting kSackOff{"net.ipv4.tcp_sack", "1", "0"};

/// Applied seven seconds before the journal was listed.
ChangeRecord journalled(std::uint32_t id, ChangeState state) {
  ChangeRecord record;
  record.id = id;
  record.state = state;
  record.bootId = "boot";
  record.madeAtSeconds = 100;
  record.settings = {kSackOff};
  return record;
}

StepOutcome outcome(std::vector<ChangeRecord> journal, const LostStep& lost) {
  return outcomeIn(ChangeReport::of(std::move(journal), WallTime::fromNanoseconds(107'000'000'000)), lost);
}

LostStep lostApply() {
  return {Phase::changing, 0, "boot", {{kSackOff.key, kSackOff.original, kSackOff.wanted, {}}}};
}

LostStep lostStep(Phase step, std::uint32_t change) {
  return {step, change, "boot", {}};
}

TEST(LostStep, TakesTheChangeOnTrialForTheLostOne) {
  const auto found = outcome({journalled(1, ChangeState::reverted), journalled(2, ChangeState::applied)}, lostApply());
  EXPECT_EQ(found.phase, Phase::inForce);
  EXPECT_EQ(found.change, 2U);
  EXPECT_EQ(found.age, Milliseconds(7000));
}

TEST(LostStep, TakesNoOlderOrDifferentChange) {
  EXPECT_EQ(outcome({}, lostApply()).phase, Phase::previewed);
  EXPECT_EQ(outcome({journalled(1, ChangeState::confirmed)}, lostApply()).phase, Phase::previewed);
  ChangeRecord other = journalled(1, ChangeState::applied);
  other.settings[0].wanted = "2";
  EXPECT_EQ(outcome({other}, lostApply()).phase, Phase::previewed);
  other = journalled(1, ChangeState::applied);
  other.bootId = "another";
  EXPECT_EQ(outcome({other}, lostApply()).phase, Phase::previewed);
  other = journalled(1, ChangeState::applied);
  other.settings.clear();
  EXPECT_EQ(outcome({other}, lostApply()).phase, Phase::previewed);
}

TEST(LostStep, FollowsAChangeByItsNumber) {
  const auto phaseAfter = [](ChangeState state) {
    return outcome({journalled(3, state), journalled(4, ChangeState::applied)}, lostStep(Phase::keeping, 3)).phase;
  };
  EXPECT_EQ(phaseAfter(ChangeState::applied), Phase::inForce);
  EXPECT_EQ(phaseAfter(ChangeState::confirmed), Phase::kept);
  EXPECT_EQ(phaseAfter(ChangeState::reverted), Phase::undone);
  EXPECT_EQ(phaseAfter(ChangeState::preparing), Phase::unknown);
}

TEST(LostStep, DoesNotGuessIfTheJournalLacksTheChange) {
  EXPECT_EQ(outcome({journalled(1, ChangeState::applied)}, lostStep(Phase::undoing, 3)).phase, Phase::unknown);
}

TEST(LostStep, FindsOptionsActiveIfTheyCanBeReverted) {
  const auto phaseWith = [](bool canRevert, Phase step) {
    return outcomeOfOptions(canRevert, std::nullopt, lostStep(step, 0)).phase;
  };
  EXPECT_EQ(phaseWith(false, Phase::changing), Phase::previewed);
  EXPECT_EQ(phaseWith(true, Phase::changing), Phase::previewed) << "an earlier change was kept";
  EXPECT_EQ(phaseWith(false, Phase::keeping), Phase::undone);
  EXPECT_EQ(phaseWith(true, Phase::keeping), Phase::kept);
  EXPECT_EQ(phaseWith(false, Phase::undoing), Phase::undone);
  EXPECT_EQ(phaseWith(true, Phase::undoing), Phase::kept);
  EXPECT_EQ(phaseWith(true, Phase::inForce), Phase::undone) << "the trial is over";
}

TEST(LostStep, FindsOptionsOnTrialWithTheTimeThatIsLeft) {
  const StepOutcome found = outcomeOfOptions(true, Milliseconds(42'000), lostStep(Phase::changing, 0));
  EXPECT_EQ(found.phase, Phase::inForce);
  EXPECT_EQ(found.left, Milliseconds(42'000));
}

}  // namespace
}  // namespace tcpscope
