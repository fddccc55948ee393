#include "core/wire/loss/burst_verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/wire/loss/loss_summary.h"
#include "tests/core/wire/loss/drawn_losses.h"
#include "tests/core/wire/loss/drawn_transfer.h"

namespace tcpscope {
namespace {

using testing::Contains;
using testing::UnorderedElementsAre;

/// Enough for a dozen overflows of a queue of a hundred packets.
constexpr std::uint64_t kPackets = 150'000;
constexpr double kConfidentEnough = 0.8;

enum class Knowing : std::uint8_t { noRtts, rtts };

BurstVerdict verdictOf(const DrawnPath& path, std::uint64_t seed, Knowing knowing = Knowing::rtts,
                       std::uint64_t packets = kPackets) {
  const DrawnTransfer transfer = drawnTransfer(path, packets, seed);
  if (knowing == Knowing::rtts) {
    return summarizeLosses(transfer.record, transfer.rtts.median, transfer.rtts).verdict;
  }
  return summarizeLosses(transfer.record, transfer.rtts.median, std::nullopt).verdict;
}

DrawnPath queueOf(double packets) {
  DrawnPath path;
  path.packetsOfRoom = packets;
  return path;
}

DrawnPath policerOf(double packets) {
  DrawnPath path;
  path.isPolicer = true;
  path.packetsOfRoom = packets;
  return path;
}

/// A fast link with losses of the given share, alone or several in a row.
DrawnPath lossyLink(double ratio, double goesOn = 0.0) {
  DrawnPath path;
  path.packetsPerSecond = 100'000.0;
  path.packetsOfRoom = 10'000.0;
  path.lossRatio = ratio;
  path.lossGoesOn = goesOn;
  return path;
}

TEST(BurstVerdict, NamesAQueueThatOverflows) {
  for (const double packets : {20.0, 60.0, 100.0}) {
    const BurstVerdict verdict = verdictOf(queueOf(packets), 1);
    EXPECT_EQ(verdict.cause, BurstCause::queueOverflow) << packets;
    EXPECT_GE(verdict.confidenceRatio, 0.6) << packets;
  }
}

TEST(BurstVerdict, NamesAPolicer) {
  for (const double packets : {40.0, 100.0, 400.0}) {
    const BurstVerdict verdict = verdictOf(policerOf(packets), 1);
    EXPECT_EQ(verdict.cause, BurstCause::policer) << packets;
  }
}

TEST(BurstVerdict, NamesChance) {
  for (const double ratio : {0.001, 0.005, 0.02}) {
    const BurstVerdict verdict = verdictOf(lossyLink(ratio), 2);
    EXPECT_EQ(verdict.cause, BurstCause::random) << ratio;
    EXPECT_GE(verdict.confidenceRatio, kConfidentEnough);
  }
}

// A radio link loses several in a row, as a queue and a policer do; nothing else speaks for them.
TEST(BurstVerdict, DoesNotNameBurstsWithoutAnyOtherSign) {
  const BurstVerdict verdict = verdictOf(lossyLink(0.002, 0.7), 1);
  EXPECT_EQ(verdict.cause, BurstCause::unknown);
  EXPECT_THAT(verdict.candidates, Contains(BurstCause::random));
}

TEST(BurstVerdict, CannotDistinguishAQueueFromAPolicerWithoutRtts) {
  for (const DrawnPath& path : {queueOf(40), policerOf(40)}) {
    const BurstVerdict verdict = verdictOf(path, 1, Knowing::noRtts);
    EXPECT_EQ(verdict.cause, BurstCause::unknown);
    EXPECT_THAT(verdict.candidates, UnorderedElementsAre(BurstCause::queueOverflow, BurstCause::policer));
  }
}

TEST(BurstVerdict, IsLessConfidentInRandomLossWithoutRtts) {
  const BurstVerdict verdict = verdictOf(lossyLink(0.005), 1, Knowing::noRtts);
  EXPECT_EQ(verdict.cause, BurstCause::random);
  EXPECT_LT(verdict.confidenceRatio, kConfidentEnough);
}

struct Tally {
  int right = 0;
  int wrong = 0;
  int confidentlyWrong = 0;
};

Tally tallyOf(const DrawnPath& path, BurstCause truth) {
  Tally tally;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const BurstVerdict verdict = verdictOf(path, seed, Knowing::rtts, kPackets / 3);
    if (verdict.cause == truth) ++tally.right;
    if (verdict.cause == truth || verdict.cause == BurstCause::unknown) continue;
    ++tally.wrong;
    if (verdict.confidenceRatio >= kConfidentEnough) ++tally.confidentlyWrong;
  }
  return tally;
}

// Twenty transfers each. Unknown is allowed; a wrong name is not.
TEST(BurstVerdict, IsNeverWrongWithConfidence) {
  const auto expect = [](const char* what, const DrawnPath& path, BurstCause truth, int rightAtLeast) {
    const Tally tally = tallyOf(path, truth);
    EXPECT_EQ(tally.confidentlyWrong, 0) << what;
    EXPECT_LE(tally.wrong, 1) << what;
    EXPECT_GE(tally.right, rightAtLeast) << what;
  };
  expect("queue", queueOf(40), BurstCause::queueOverflow, 18);
  expect(
      "short queue with random loss",
      [] {
        DrawnPath path = queueOf(30);
        path.lossRatio = 0.0002;
        return path;
      }(),
      BurstCause::queueOverflow, 4);
  expect("policer", policerOf(100), BurstCause::policer, 18);
  expect("chance", lossyLink(0.005), BurstCause::random, 15);
  expect("chance in bursts", lossyLink(0.002, 0.7), BurstCause::unknown, 18);
}

TEST(BurstVerdict, NamesReorderingWhereMostHadArrived) {
  BurstEvidence evidence;
  evidence.losses = 5;
  evidence.events = 5;
  evidence.spurious = 95;
  const BurstVerdict verdict = burstVerdict(evidence);
  EXPECT_EQ(verdict.cause, BurstCause::reordering);
  EXPECT_GE(verdict.confidenceRatio, kConfidentEnough);
}

TEST(BurstVerdict, SaysThatItDoesNotKnowOfAFewLosses) {
  BurstEvidence evidence;
  evidence.losses = 3;
  evidence.events = 3;
  EXPECT_EQ(burstVerdict(evidence).cause, BurstCause::unknown);
  EXPECT_EQ(burstVerdict({}).cause, BurstCause::unknown);
}

TEST(BurstVerdict, HasAWordForEachCause) {
  std::set<std::string_view> words;
  for (const BurstCause cause : kBurstCauses) words.insert(name(cause));
  EXPECT_THAT(words, UnorderedElementsAre("unknown", "queue_overflow", "random", "policer", "reordering"));
}

}  // namespace
}  // namespace tcpscope
