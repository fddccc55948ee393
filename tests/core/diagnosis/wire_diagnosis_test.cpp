#include "core/diagnosis/wire_diagnosis.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "core/diagnosis/cause_finder.h"
#include "tests/core/diagnosis/limits/seen_transfer.h"
#include "tests/core/diagnosis/sender_situation.h"

namespace tcpscope {
namespace {

using test::SeenTransfer;
using testing::Contains;
using testing::Not;

class WireDiagnosisSeenFrom : public testing::TestWithParam<double> {
protected:
  [[nodiscard]] SeenTransfer transfer() const { return SeenTransfer(GetParam()); }
};

/// Windows of so many segments, each sent when the one before it is acknowledged, which takes `rtt`.
double sendWindows(SeenTransfer& transfer, double from, int first, int rounds, int segments, int windowBytes,
                   double rtt = test::kRttSeconds) {
  double now = from;
  for (int round = 0; round < rounds; ++round) {
    transfer.sends(now, first + round * segments, segments);
    now += rtt;
    transfer.learns(now, first + (round + 1) * segments, windowBytes);
  }
  return now;
}

/// The first of the segments is lost, and retransmitted one RTT later.
double loseFirst(SeenTransfer& transfer, double from, int first, int segments) {
  transfer.sends(from, first, segments);
  for (int segment = first + 2; segment <= first + segments; ++segment) {
    transfer.learns(from + 0.1, first, 60'000, fmt::format("sack {}-{}", 1 + (first + 1) * 1000, 1 + segment * 1000));
  }
  transfer.sends(from + 0.101, first).learns(from + 0.201, first + segments, 60'000);
  return from + 0.201;
}

const Finding* findingOf(const SideDiagnosis& diagnosis, RuleId rule) {
  for (const Finding& finding : diagnosis.findings) {
    if (finding.rule == rule) return &finding;
  }
  return nullptr;
}

TEST_P(WireDiagnosisSeenFrom, BlamesASmallWindowThatStaysTheSame) {
  SeenTransfer captured = transfer();
  sendWindows(captured, 0.2, 0, 30, 8, 8500);
  const SideDiagnosis diagnosis = captured.seen().diagnosis;
  EXPECT_VERDICT(diagnosis.verdict, Limit::receiver, Cause::bufferLimit);
  EXPECT_NE(findingOf(diagnosis, RuleId::receiverWindowTooSmall), nullptr);
  ASSERT_EQ(diagnosis.bounds.front().model, BoundModel::receiverWindow);
  // 8.5 KB in 100 ms.
  EXPECT_NEAR(diagnosis.bounds.front().rate->value(), 680e3, 20e3);
}

TEST_P(WireDiagnosisSeenFrom, BlamesAWindowAtItsCeiling) {
  SeenTransfer captured = transfer();
  sendWindows(captured, 0.2, 0, 30, 65, 65'535);
  EXPECT_VERDICT(captured.seen().diagnosis.verdict, Limit::receiver, Cause::windowScale);
}

TEST_P(WireDiagnosisSeenFrom, BlamesAReaderWhoseWindowCloses) {
  SeenTransfer captured = transfer();
  for (int round = 0; round < 20; ++round) {
    const double now = 0.2 + round * 0.4;
    captured.sends(now, round * 8, 8).learns(now + 0.1, round * 8 + 8, 0).learns(now + 0.399, round * 8 + 8, 8000);
  }
  EXPECT_VERDICT(captured.seen().diagnosis.verdict, Limit::receiver, Cause::slowReader);
}

TEST_P(WireDiagnosisSeenFrom, KeepsAClosedWindowInTheRangeOfTheWindow) {
  // Open, closed for 3 s, and a little larger than before.
  SeenTransfer captured = transfer();
  double now = sendWindows(captured, 0.2, 0, 10, 8, 8000);
  captured.sends(now, 80, 8).learns(now + 0.1, 88, 8000).learns(now + 0.101, 88, 0).learns(now + 3.1, 88, 8100);
  sendWindows(captured, now + 3.11, 88, 10, 8, 8100);
  const SideDiagnosis diagnosis = captured.seen().diagnosis;
  const Finding* finding = findingOf(diagnosis, RuleId::receivingApplicationTooSlow);
  EXPECT_VERDICT(diagnosis.verdict, Limit::receiver, Cause::slowReader);
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->evidence[1].comparedWith, 0.0) << finding->evidence[1].key;
}

TEST_P(WireDiagnosisSeenFrom, CannotDistinguishASendBufferFromAnUnfilledWindow) {
  SeenTransfer captured = transfer();
  sendWindows(captured, 0.2, 0, 30, 8, 60'000);
  const Verdict verdict = captured.seen().diagnosis.verdict;
  EXPECT_EQ(verdict.limit, Limit::unknown);
  EXPECT_THAT(verdict.candidates, Contains(Limit::sendBuffer));
  EXPECT_THAT(verdict.candidates, Contains(Limit::network));
  EXPECT_THAT(verdict.candidates, Not(Contains(Limit::receiver)));
}

TEST_P(WireDiagnosisSeenFrom, BlamesAPathWhoseLossesSlowTheSenderDown) {
  SeenTransfer captured = transfer();
  double now = 0.2;
  int first = 0;
  for (int loss = 0; loss < 6; ++loss) {
    for (int segments = 6; segments < 12; ++segments) {
      now = sendWindows(captured, now, first, 1, segments, 60'000) + 1e-3;
      first += segments;
    }
    now = loseFirst(captured, now, first, 12) + 1e-3;
    first += 12;
  }
  const SideDiagnosis diagnosis = captured.seen().diagnosis;
  EXPECT_EQ(name(diagnosis.verdict.limit), name(Limit::network));
  EXPECT_NE(findingOf(diagnosis, RuleId::networkLoss), nullptr);
  for (const BoundModel model : {BoundModel::mathis, BoundModel::cubic}) {
    const auto bound = std::find_if(diagnosis.bounds.begin(), diagnosis.bounds.end(),
                                    [model](const Bound& one) { return one.model == model; });
    ASSERT_NE(bound, diagnosis.bounds.end()) << name(model);
    EXPECT_FALSE(bound->applies);
    EXPECT_EQ(bound->whyNot, WhyNoBound::congestionControlUnknown);
    EXPECT_TRUE(bound->rate);
  }
}

TEST_P(WireDiagnosisSeenFrom, LetsThePatternOfTheLossesSecondACauseInDoubt) {
  SeenTransfer captured = transfer();
  double now = 0.2;
  int first = 0;
  for (int loss = 0; loss < 6; ++loss) {
    for (int segments = 6; segments < 12; ++segments) {
      now = sendWindows(captured, now, first, 1, segments, 60'000) + 1e-3;
      first += segments;
    }
    now = loseFirst(captured, now, first, 12) + 1e-3;
    first += 12;
  }
  // A policer or loss at random, by the windows at which it was lost: whichever it is, in doubt.
  const auto cause = [&captured](Cause pattern) { return captured.seen(pattern).diagnosis.verdict.cause; };
  EXPECT_VERDICT(captured.seen().diagnosis.verdict, Limit::network, Cause::unknown);
  EXPECT_EQ(name(cause(Cause::reordering)), name(Cause::unknown));
  const bool byLoss = cause(Cause::loss) == Cause::loss;
  const bool byPolicer = cause(Cause::policer) == Cause::policer;
  EXPECT_NE(byLoss, byPolicer) << "a pattern seconds one of them, and never names another";
  EXPECT_LT(captured.seen(byLoss ? Cause::loss : Cause::policer).diagnosis.verdict.confidenceRatio, 0.8);
}

TEST_P(WireDiagnosisSeenFrom, BlamesAProgramThatPauses) {
  SeenTransfer captured = transfer();
  for (int burst = 0; burst < 10; ++burst) {
    const double now = 0.2 + burst * 0.5;
    captured.sends(now, burst * 5, 5).learns(now + 0.1, burst * 5 + 5);
  }
  EXPECT_VERDICT(captured.seen().diagnosis.verdict, Limit::application, Cause::slowWriter);
}

TEST(WireDiagnosis, CountsALatePacketAndItsRepairOnce) {
  // At the receiver: the first of each window arrives one RTT late, after its retransmission.
  SeenTransfer captured(1.0);
  double now = 0.2;
  int first = 0;
  for (int window = 0; window < 8; ++window) {
    const auto acknowledge = [&](double seconds, const std::string& sack) {
      captured.learns(seconds, sack.empty() ? first + 8 : first, 60'000, sack);
    };
    captured.sends(now, first + 1, 7);
    for (int segment = 3; segment <= 8; ++segment) {
      acknowledge(now + 0.1, fmt::format("sack {}-{}", 1 + (first + 1) * 1000, 1 + (first + segment) * 1000));
    }
    captured.sends(now + 0.101, first).sends(now + 0.15, first);
    captured.learns(now + 0.201, first + 8, 60'000);
    captured.learns(now + 0.25, first + 8, 60'000, fmt::format("sack {}-{}", 1 + first * 1000, 1 + (first + 1) * 1000));
    now += 0.26;
    first += 8;
  }
  EXPECT_VERDICT(captured.seen().diagnosis.verdict, Limit::network, Cause::reordering);
}

TEST_P(WireDiagnosisSeenFrom, TakesPausesForTimeoutsWhereMuchIsLostOnTheWay) {
  SeenTransfer captured = transfer();
  double now = 0.2;
  int first = 0;
  for (int burst = 0; burst < 10; ++burst) {
    now = loseFirst(captured, now, first, 8) + 0.8;
    first += 8;
  }
  const Verdict verdict = captured.seen().diagnosis.verdict;
  // Only the sender's own capture shows that nothing was sent meanwhile.
  const bool isAtSender = GetParam() == 0.0;
  EXPECT_EQ(name(verdict.limit), name(isAtSender ? Limit::application : Limit::unknown));
  EXPECT_EQ(std::count(verdict.candidates.begin(), verdict.candidates.end(), Limit::timeout), isAtSender ? 0 : 1);
}

TEST_P(WireDiagnosisSeenFrom, FindsNoCauseForSilence) {
  SeenTransfer captured = transfer();
  captured.ends(5.0);
  const SideDiagnosis diagnosis = captured.seen().diagnosis;
  EXPECT_VERDICT(diagnosis.verdict, Limit::idle, Cause::unknown);
  EXPECT_DOUBLE_EQ(diagnosis.limits.ratio(Limit::idle), 1.0);
}

TEST(WireDiagnosis, KnowsNothingOfADirectionThatWasNotCaptured) {
  const test::DrawnExchange onlyReceiver(R"(
    0.0 < A 1:1 ack 1
    0.1 < A 1:1 ack 100001
    0.2 < A 1:1 ack 200001
  )");
  const SideDiagnosis sender = diagnoseWire(onlyReceiver.summary(), 0, nullptr);
  EXPECT_VERDICT(sender.verdict, Limit::unknown, Cause::unknown);
  EXPECT_EQ(sender.verdict.confidenceRatio, 0.0);
  EXPECT_DOUBLE_EQ(sender.limits.ratio(Limit::unknown), 1.0);
  EXPECT_VERDICT(diagnoseWire(onlyReceiver.summary(), 1, nullptr).verdict, Limit::idle, Cause::unknown);
}

TEST(WireDiagnosis, NamesNoLimitAndNoQueueOfAPartialCapture) {
  SeenTransfer captured(0.0);
  for (int round = 0; round < 40; ++round) {
    // One of ten segments, and RTTs that grow.
    const double now = 0.2 + round * 0.3;
    captured.sends(now, round * 10).learns(now + 0.1 + round * 0.005, round * 10 + 10);
  }
  const auto seen = captured.seen();
  EXPECT_VERDICT(seen.diagnosis.verdict, Limit::unknown, Cause::unknown);
  EXPECT_TRUE(seen.diagnosis.findings.empty());
  EXPECT_NEAR(seen.diagnosis.goodput->value(), 8 * 10'000 / 0.3, 5e3);
  EXPECT_EQ(seen.flow.vantage, Vantage::unknown);
}

TEST(WireDiagnosis, TakesAcknowledgedDataThatWasNotCapturedForNoSilence) {
  // The capture holds the sender's acknowledgments, and none of its data.
  const test::DrawnExchange withoutData(R"(
    0.0 > A 1:1 ack 1
    0.1 < A 1:1001 ack 1
    0.2 > A 1:1 ack 1001
    0.3 < A 1001:2001 ack 50001
    0.4 > A 50001:50001 ack 2001
  )");
  EXPECT_FALSE(withoutData.client().isCaptured());
  EXPECT_VERDICT(diagnoseWire(withoutData.summary(), 0, nullptr).verdict, Limit::unknown, Cause::unknown);
}

TEST_P(WireDiagnosisSeenFrom, BlamesLossForTimeouts) {
  SeenTransfer captured = transfer();
  double now = sendWindows(captured, 0.2, 0, 3, 8, 60'000);
  int first = 24;
  for (int loss = 0; loss < 4; ++loss) {
    captured.sends(now, first, 4).sends(now + 1.0, first).learns(now + 1.1, first + 4);
    now += 1.101;
    first += 4;
  }
  const SideDiagnosis diagnosis = captured.seen().diagnosis;
  EXPECT_VERDICT(diagnosis.verdict, Limit::timeout, Cause::loss);
  EXPECT_NE(findingOf(diagnosis, RuleId::timeouts), nullptr);
}

TEST(WireDiagnosis, TakesNoNeedlessTimeoutForReordering) {
  // The acknowledgments come 0.5 s late, again and again: each timeout is answered by a report of its duplicate.
  SeenTransfer captured(0.0);
  double now = sendWindows(captured, 0.2, 0, 3, 8, 60'000);
  int first = 24;
  for (int delay = 0; delay < 5; ++delay) {
    captured.sends(now, first, 4).sends(now + 0.4, first).learns(now + 0.45, first + 4);
    captured.learns(now + 0.6, first + 4, 65'535, fmt::format("sack {}-{}", 1 + first * 1000, 1 + (first + 1) * 1000));
    now = sendWindows(captured, now + 0.7, first + 4, 2, 8, 60'000);
    first += 20;
  }
  const SideDiagnosis diagnosis = captured.seen().diagnosis;
  EXPECT_EQ(findingOf(diagnosis, RuleId::reordering), nullptr);
  EXPECT_EQ(findingOf(diagnosis, RuleId::networkLoss), nullptr);
}

TEST(WireDiagnosis, TakesTheOverflowOfAQueueForAFullPath) {
  // A short queue that overflows often: only the RTTs before the losses say what dropped them.
  ConnectionEvidence evidence;
  evidence.slowsDownForLoss = true;
  evidence.dataSegments = 10'000;
  evidence.retransmittedSegments = 100;
  evidence.duplicateSegments = 0;
  evidence.lossEvents = 50;
  evidence.minRtt = Microseconds(20'000);
  evidence.rttUs.add(32'000);
  evidence.waits = WaitEvidence{};
  EXPECT_EQ(name(findCause(Limit::network, evidence).cause), name(Cause::loss));
  evidence.waits->lossPattern = Cause::pathFull;
  EXPECT_EQ(name(findCause(Limit::network, evidence).cause), name(Cause::pathFull));
}

/// A loss-based sender behind a queue that adds more than half of the path's RTT.
ConnectionEvidence behindAQueue(std::uint64_t lossEvents, std::uint64_t lost) {
  ConnectionEvidence evidence;
  evidence.slowsDownForLoss = true;
  evidence.dataSegments = 12'000;
  evidence.retransmittedSegments = lost;
  evidence.lossEvents = lossEvents;
  for (const double rttUs : {36e3, 57e3, 57e3, 78e3}) evidence.rttUs.add(rttUs);
  return evidence;
}

TEST(WireDiagnosis, WhatSlowStartLosesInAQueueIsNoCauseOfASaturatedBottleneck) {
  EXPECT_EQ(name(findCause(Limit::network, behindAQueue(8, 90)).cause), name(Cause::pathFull));
  // As many losses, one by one all the time.
  EXPECT_EQ(name(findCause(Limit::network, behindAQueue(90, 90)).cause), name(Cause::loss));
}

TEST(WireDiagnosis, BlamesTheSizeWhereOnlySmallPacketsPass) {
  SeenTransfer captured(0.0);
  // 1000 bytes are a full segment here; only a part of the first arrives.
  captured.sends(0.2, 0, 10).sends(1.2, 0).sends(3.2, 0).sends(7.2, 0).ends(14.0);
  captured.acknowledgesBytes(0.3, 200);
  EXPECT_VERDICT(captured.seen().diagnosis.verdict, Limit::timeout, Cause::mtu);
}

INSTANTIATE_TEST_SUITE_P(Everywhere, WireDiagnosisSeenFrom, testing::ValuesIn(test::kPlaces),
                         [](const auto& seen) { return "at" + std::to_string(static_cast<int>(seen.param * 100)); });

TEST(WireDiagnosis, SaysNothingOfOptionsWithoutHandshake) {
  SeenTransfer captured(0.0, false);
  sendWindows(captured, 0.2, 0, 30, 8, 60'000);
  const SideDiagnosis diagnosis = captured.seen().diagnosis;
  EXPECT_EQ(diagnosis.verdict.limit, Limit::unknown);
  EXPECT_EQ(findingOf(diagnosis, RuleId::optionsMissing), nullptr);
}

TEST(WireDiagnosis, ReportsOptionsThatWereNotOffered) {
  SeenTransfer captured(0.0);
  sendWindows(captured, 0.2, 0, 30, 8, 60'000);
  const SideDiagnosis diagnosis = captured.seen().diagnosis;
  const Finding* missing = findingOf(diagnosis, RuleId::optionsMissing);
  ASSERT_NE(missing, nullptr);
  EXPECT_EQ(missing->evidence.front().key, "timestamps");
}

/// The bulk direction of what is drawn, as a whole capture of it is judged.
SideDiagnosis openingOf(const std::string& text) {
  return diagnoseWire(test::DrawnExchange(text).summary(), 0, nullptr);
}

TEST(WireOpening, SynsWithoutAnAnswerAreNoIdleConnection) {
  const SideDiagnosis diagnosis = openingOf("0.000 > S 0:0\n1.000 > S 0:0\n2.000 > S 0:0");
  EXPECT_VERDICT(diagnosis.verdict, Limit::opening, Cause::noResponse);
  EXPECT_NE(findingOf(diagnosis, RuleId::unansweredOpening), nullptr);
}

TEST(WireOpening, AResetRefusesTheConnection) {
  EXPECT_VERDICT(openingOf("0.000 > S 0:0\n0.040 < RA 0:0 ack 1").verdict, Limit::opening, Cause::refused);
}

TEST(WireOpening, OneSynAtTheEndOfACaptureMayYetBeAnswered) {
  EXPECT_VERDICT(openingOf("0.000 > S 0:0").verdict, Limit::opening, Cause::unknown);
}

TEST(WireOpening, ASynAckThatIsNotAnsweredWaitsForThePeer) {
  const SideDiagnosis diagnosis =
      openingOf("0.000 > S 0:0\n0.001 < SA 0:0 ack 1\n1.000 > S 0:0\n1.001 < SA 0:0 ack 1\n3.001 < SA 0:0 ack 1");
  EXPECT_VERDICT(diagnosis.verdict, Limit::opening, Cause::noResponse);
}

/// The SYN is answered at the second attempt, a second later, and a transfer follows.
SideDiagnosis slowlyOpened(double place, int synAcks = 1) {
  SeenTransfer captured(place, false);
  for (const double at : {0.0, 1.0}) captured.leaves(at, "S 0:0 win 65535 mss 1000 sackOK ws 0");
  for (int answer = 0; answer < synAcks; ++answer) {
    captured.arrives(1.1 + answer, "SA 0:0 ack 1 win 65535 mss 1000 sackOK ws 0");
  }
  const double opened = 0.1 + synAcks;
  captured.leaves(opened, "A 1:1 ack 1");
  sendWindows(captured, opened + 0.1, 0, 10, 8, 60'000);
  return captured.seen().diagnosis;
}

TEST(WireOpening, ASynThatIsRetransmittedMakesTheHandshakeSlow) {
  const SideDiagnosis diagnosis = slowlyOpened(0.0);
  const Finding* finding = findingOf(diagnosis, RuleId::slowOpening);
  ASSERT_NE(finding, nullptr);
  EXPECT_NEAR(finding->evidence.front().value, 1.1, 1e-6);
}

TEST(WireOpening, WhereSynsArriveThatAreNotAnsweredTheListenerDropsThem) {
  const SideDiagnosis diagnosis = slowlyOpened(1.0);
  const Finding* finding = findingOf(diagnosis, RuleId::slowOpening);
  ASSERT_NE(finding, nullptr);
  EXPECT_NE(figureOf(finding->evidence, "unanswered_syns"), nullptr);
}

TEST(WireOpening, ASynAckThatIsRetransmittedWasLostOnThePath) {
  const SideDiagnosis diagnosis = slowlyOpened(1.0, 2);
  const Finding* finding = findingOf(diagnosis, RuleId::slowOpening);
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(figureOf(finding->evidence, "unanswered_syns"), nullptr);
}

TEST(WireOpening, AnOlderConnectionThatHadToBeResetIsNoLoss) {
  SeenTransfer captured(0.0, false);
  captured.leaves(0.0, "S 0:0 win 65535 mss 1000 sackOK ws 0");
  captured.arrives(0.1, "A 70000:70000 ack 90000");
  captured.leaves(0.1, "R 90000:90000");
  captured.leaves(1.0, "S 0:0 win 65535 mss 1000 sackOK ws 0");
  captured.arrives(1.1, "SA 0:0 ack 1 win 65535 mss 1000 sackOK ws 0");
  captured.leaves(1.1, "A 1:1 ack 1");
  sendWindows(captured, 1.2, 0, 10, 8, 60'000);
  EXPECT_EQ(findingOf(captured.seen().diagnosis, RuleId::slowOpening), nullptr);
}

TEST(WireOpening, AHandshakeWithoutRetransmissionsIsNotSlowHoweverLongThePath) {
  SeenTransfer captured(0.0, false);
  captured.leaves(0.0, "S 0:0 win 65535 mss 1000 sackOK ws 0");
  captured.arrives(0.9, "SA 0:0 ack 1 win 65535 mss 1000 sackOK ws 0");
  captured.leaves(0.9, "A 1:1 ack 1");
  sendWindows(captured, 1.0, 0, 10, 8, 60'000, 0.9);
  EXPECT_EQ(findingOf(captured.seen().diagnosis, RuleId::slowOpening), nullptr);
}

TEST(WireStall, SoManyMayBeLostByChanceOnAPathThatLostSynsBefore) {
  SeenTransfer captured(0.0, false);
  for (const double seconds : {0.0, 1.0, 3.0}) captured.leaves(seconds, "S 0:0 win 65535 mss 1000 sackOK ws 0");
  captured.arrives(3.1, "SA 0:0 ack 1 win 65535 mss 1000 sackOK ws 0");
  captured.leaves(3.1, "A 1:1 ack 1");
  captured.sends(3.1, 0, 2);
  double wait = 0.3;
  double at = 3.1;
  for (int tries = 0; tries < 6; ++tries) {
    at += wait;
    captured.sends(at, 0);
    wait *= 2;
  }
  EXPECT_NE(captured.seen().diagnosis.verdict.limit, Limit::stalled);
}

TEST(WireStall, RetransmissionsInVainToTheEndAreNoPacketLoss) {
  SeenTransfer captured(0.0);
  const double now = sendWindows(captured, 0.2, 0, 10, 8, 60'000);
  captured.sends(now, 80, 8);
  double wait = 0.3;
  double at = now;
  for (int tries = 0; tries < 5; ++tries) {
    at += wait;
    captured.sends(at, 80);
    wait *= 2;
  }
  EXPECT_VERDICT(captured.seen().diagnosis.verdict, Limit::stalled, Cause::noResponse);
}

}  // namespace
}  // namespace tcpscope
