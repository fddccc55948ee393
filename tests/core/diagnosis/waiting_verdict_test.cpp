// Connections that open, and those that are stalled: what the socket shows, and what it must not be taken for.
#include "core/diagnosis/waiting_verdict.h"

#include <gtest/gtest.h>

#include "core/diagnosis/evidence/confidence.h"
#include "tests/core/diagnosis/sender_situation.h"

namespace tcpscope {
namespace {

using std::chrono::milliseconds;
using test::bulkSender;
using test::busyStep;
using test::Growth;
using test::kStep;
using test::ObservationBuilder;
using test::Situation;

Verdict verdictOf(const ObservationBuilder& socket) {
  return judge(socket.build(), {}).verdict;
}

const Finding* found(const ConnectionDiagnosis& diagnosis, RuleId rule) {
  if (!diagnosis.sending) return nullptr;
  for (const Finding& finding : diagnosis.sending->findings) {
    if (finding.rule == rule) return &finding;
  }
  return nullptr;
}

ObservationBuilder synSent(std::uint8_t timeouts) {
  ObservationBuilder socket;
  // Before the handshake the kernel's ages count from nowhere.
  return socket.state(TcpState::synSent)
      .inFlight(1)
      .queues(0, 1)
      .lastAck(milliseconds(13'863'508))
      .unanswered(timeouts, std::chrono::seconds(1), 0, milliseconds(500));
}

TEST(WaitingVerdict, ASynThatIsNotAnsweredIsNoIdleConnection) {
  const Verdict verdict = verdictOf(synSent(3));
  EXPECT_VERDICT(verdict, Limit::opening, Cause::noResponse);
  EXPECT_EQ(verdict.confidenceRatio, 1.0);
}

TEST(WaitingVerdict, AnAttemptWithoutATimeoutNamesNoCause) {
  const Verdict verdict = verdictOf(synSent(0));
  EXPECT_VERDICT(verdict, Limit::opening, Cause::unknown);
}

TEST(WaitingVerdict, TheTimeOfAnAttemptDoesNotComeFromTheAges) {
  const auto diagnosis = diagnose(synSent(3).build(), {});
  const Finding* finding = found(diagnosis, RuleId::unansweredOpening);
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->evidence.front().key, "opening_s");
  EXPECT_NEAR(finding->evidence.front().value, 3.5, 0.001);
  EXPECT_TRUE(isActive(diagnosis));
}

TEST(WaitingVerdict, RetransmissionsOfASynAreNoLossOnThePath) {
  EXPECT_EQ(diagnose(synSent(3).retransmitted(3).build(), {}).sending->findings.size(), 1U);
}

TEST(WaitingVerdict, ASynAckThatIsNotAnsweredOpens) {
  SocketObservation socket = ObservationBuilder().state(TcpState::newSynReceived).build();
  socket.info = TcpInfoSample();
  socket.timer = SocketTimer{TimerKind::retransmission, Count(2), milliseconds(900)};
  EXPECT_VERDICT(judge(socket, {}).verdict, Limit::opening, Cause::noResponse);
}

/// A transfer whose path breaks: everything in flight is retransmitted in vain.
Situation brokenPath(std::uint8_t timeouts, milliseconds silence) {
  Situation situation([](ObservationBuilder& socket) {
    bulkSender(socket);
    socket.queues(0, 600'000);
  });
  situation.repeat(30, kStep, busyStep());
  Growth waiting;
  waiting.busy = kStep;
  waiting.inTimeout = kStep;
  situation.repeat(20, kStep, waiting, [&](ObservationBuilder& socket) {
    socket.unanswered(timeouts, milliseconds(200) * (1 << timeouts), timeouts, milliseconds(300)).lastAck(silence);
  });
  return situation;
}

TEST(WaitingVerdict, APathThatBreaksInMidTransferIsNoPacketLoss) {
  const Situation situation = brokenPath(4, std::chrono::seconds(3));
  EXPECT_VERDICT(situation.verdict(), Limit::stalled, Cause::noResponse);
  const auto diagnosis = situation.diagnosis();
  EXPECT_VERDICT(diagnosis.verdict, Limit::stalled, Cause::noResponse);
  EXPECT_NE(found(diagnosis, RuleId::stalled), nullptr);
  EXPECT_EQ(found(diagnosis, RuleId::networkLoss), nullptr);
  EXPECT_TRUE(diagnosis.sending->bounds.empty()) << "nothing moves: there is no rate to bound";
}

/// How long a connection was idle, as its stall says, whose first segment after such a silence was sent 25 s ago.
std::optional<double> idleBeforeStall(std::chrono::seconds silence) {
  const auto diagnosis = brokenPath(6, milliseconds(25'100) + silence).diagnosis();
  const Finding* finding = found(diagnosis, RuleId::stalled);
  EXPECT_NE(finding, nullptr);
  const Evidence* idle = finding == nullptr ? nullptr : figureOf(finding->evidence, "idle_before_s");
  return idle == nullptr ? std::nullopt : std::optional(idle->value);
}

TEST(WaitingVerdict, AConnectionThatWasIdleForLongMayHaveBeenForgottenByAFirewall) {
  EXPECT_FALSE(idleBeforeStall(std::chrono::seconds(60)));
  EXPECT_NEAR(idleBeforeStall(std::chrono::minutes(30)).value_or(0.0), 1800.0, 1.0);
}

TEST(WaitingVerdict, TwoTimeoutsInARowHappenOnALossyPathThatWorks) {
  EXPECT_NE(brokenPath(2, milliseconds(900)).verdict().limit, Limit::stalled);
}

TEST(WaitingVerdict, SoDoManyOnAPathWithAShortRtt) {
  EXPECT_NE(brokenPath(3, milliseconds(1'500)).verdict().limit, Limit::stalled);
}

TEST(WaitingVerdict, SoManyInARowMayBeLostByChanceOnAPathThatLosesHalf) {
  Situation situation([](ObservationBuilder& socket) { socket.congestionWindow(2).inFlight(2).queues(0, 600'000); });
  Growth half = busyStep(1'448);
  half.segmentsOut = 2;
  half.retransmitted = 1;
  half.timeouts = 1;
  half.inTimeout = kStep;
  situation.repeat(40, kStep, half);
  Growth waiting;
  waiting.busy = waiting.inTimeout = kStep;
  situation.repeat(20, kStep, waiting, [](ObservationBuilder& socket) {
    socket.unanswered(5, milliseconds(6'400), 5, milliseconds(300)).lastAck(std::chrono::seconds(6));
  });
  EXPECT_VERDICT(situation.verdict(), Limit::timeout, Cause::loss);
}

TEST(WaitingVerdict, LargePacketsThatDoNotPassKeepTheirName) {
  Situation situation([](ObservationBuilder& socket) { socket.inFlight(10).notSent(50'000).queues(0, 64'480); });
  Growth waiting;
  waiting.busy = kStep;
  waiting.inTimeout = kStep;
  situation.repeat(40, kStep, waiting, [](ObservationBuilder& socket) {
    socket.acked(300)
        .delivered(1)
        .unanswered(4, milliseconds(3'200), 4, milliseconds(300))
        .lastAck(std::chrono::seconds(3));
  });
  EXPECT_VERDICT(situation.verdict(), Limit::timeout, Cause::mtu);
}

TEST(WaitingVerdict, AFinThatIsNotAnsweredIsNoLargePacket) {
  Situation situation([](ObservationBuilder& socket) { socket.state(TcpState::lastAck).inFlight(1).queues(0, 1); });
  Growth waiting;
  waiting.busy = waiting.inTimeout = kStep;
  situation.repeat(40, kStep, waiting, [](ObservationBuilder& socket) {
    socket.unanswered(5, milliseconds(6'400), 5, milliseconds(300)).lastAck(std::chrono::seconds(6));
  });
  EXPECT_VERDICT(situation.verdict(), Limit::stalled, Cause::noResponse);
}

TEST(WaitingVerdict, KeepAlivesWithoutAnAnswerShowThatThePeerIsGone) {
  EXPECT_VERDICT(verdictOf(ObservationBuilder().timer(TimerKind::keepAlive, 3, std::chrono::seconds(10))),
                 Limit::stalled, Cause::noResponse);
}

TEST(WaitingVerdict, AKeepAliveTimerThatRunsIsNoTrouble) {
  EXPECT_NE(verdictOf(ObservationBuilder().timer(TimerKind::keepAlive, 0, std::chrono::seconds(7'000))).limit,
            Limit::stalled);
}

/// The peer's program has stopped reading; its kernel answers the probes but for the last ones.
Situation closedWindow(int steps, std::uint64_t unansweredProbes = 0) {
  Situation situation([](ObservationBuilder& socket) { socket.peerWindow(0).notSent(200'000).queues(0, 200'000); });
  Growth waiting;
  waiting.busy = waiting.receiverLimited = kStep;
  situation.repeat(steps, kStep, waiting, [&](ObservationBuilder& socket) {
    socket.timer(TimerKind::windowProbe, unansweredProbes, std::chrono::seconds(1)).lastSend(steps * kStep);
    if (unansweredProbes > 0) socket.lastAck(std::chrono::seconds(8));
  });
  return situation;
}

TEST(WaitingVerdict, AWindowThatStaysClosedStallsTheConnection) {
  EXPECT_VERDICT(closedWindow(40).verdict(), Limit::stalled, Cause::slowReader);
}

TEST(WaitingVerdict, OneThatStaysClosedIsInDoubtOnceAProbeIsNotAnswered) {
  const auto confidence = [](std::uint64_t unansweredProbes) {
    return closedWindow(40, unansweredProbes).verdict().confidenceRatio;
  };
  EXPECT_GE(confidence(0), kConfident);
  EXPECT_LT(confidence(1), kConfident);
  EXPECT_VERDICT(closedWindow(40, 1).verdict(), Limit::stalled, Cause::slowReader);
  EXPECT_VERDICT(closedWindow(40, 2).verdict(), Limit::stalled, Cause::noResponse);
}

TEST(WaitingVerdict, OneThatIsClosedForAMomentLimitsIt) {
  EXPECT_EQ(closedWindow(15).verdict().limit, Limit::receiver);
}

TEST(WaitingVerdict, ProbesWithoutAnAnswerShowThatThePeerIsGone) {
  const auto socket = ObservationBuilder()
                          .peerWindow(0)
                          .queues(0, 1)
                          .timer(TimerKind::windowProbe, 4, std::chrono::seconds(1))
                          .lastAck(std::chrono::seconds(6));
  EXPECT_VERDICT(verdictOf(socket), Limit::stalled, Cause::noResponse);
}

TEST(WaitingVerdict, OnlyAPeerThatLivesIsSaidToKeepItsWindowClosed) {
  const auto saysClosed = [](const ConnectionDiagnosis& diagnosis) {
    const Finding* finding = found(diagnosis, RuleId::stalled);
    return finding != nullptr && finding->evidence.back().key == "peer_window_bytes";
  };
  EXPECT_TRUE(saysClosed(closedWindow(40).diagnosis()));
  Situation gone = closedWindow(40);
  gone.step(kStep, {}, [](ObservationBuilder& socket) {
    socket.timer(TimerKind::windowProbe, 4, std::chrono::seconds(1)).lastAck(std::chrono::seconds(6));
  });
  EXPECT_FALSE(saysClosed(gone.diagnosis()));
}

TEST(WaitingVerdict, AnIdleConnectionIsIdle) {
  EXPECT_EQ(waitingVerdict(ObservationBuilder().build(), {}), std::nullopt);
}

// --- small writes

/// A request in two pieces, of which the second waits for a delayed acknowledgment; then the response.
Situation requests(std::uint64_t waiting, const Growth& each, const Situation::Describe& describe = {}) {
  Situation situation([&](ObservationBuilder& socket) {
    if (describe) describe(socket);
    socket.applicationLimited(true).inFlight(1).notSent(static_cast<std::uint32_t>(waiting)).queues(0, 300 + waiting);
  });
  situation.repeat(30, kStep, each);
  return situation;
}

Growth exchange() {
  Growth growth = busyStep(1'200);
  growth.segmentsOut = growth.delivered = 4;
  growth.received = 600;
  return growth;
}

TEST(SmallWrites, ARequestInPiecesWaitsForADelayedAcknowledgment) {
  const auto diagnosis = requests(300, exchange()).diagnosis();
  EXPECT_VERDICT(diagnosis.verdict, Limit::application, Cause::nagle);
  EXPECT_NE(found(diagnosis, RuleId::smallWrites), nullptr);
  EXPECT_EQ(found(diagnosis, RuleId::applicationTooSlow), nullptr) << "the application has provided its data";
}

TEST(SmallWrites, TheWholeConnectionWaitsThoughResponsesAreLarger) {
  Growth growth = exchange();
  growth.received = 60'000;
  EXPECT_VERDICT(requests(300, growth).verdict(), Limit::application, Cause::nagle);
}

TEST(SmallWrites, WithTcpNodelayNothingWaitsForThat) {
  const auto noDelay = [](ObservationBuilder& socket) { socket.nagle(true, false); };
  EXPECT_VERDICT(requests(300, exchange(), noDelay).verdict(), Limit::application, Cause::slowWriter);
}

TEST(SmallWrites, AStreamOfSmallWritesIsNotHeldUp) {
  Growth growth = exchange();
  growth.received = 0;
  EXPECT_VERDICT(requests(300, growth).verdict(), Limit::application, Cause::slowWriter);
}

TEST(SmallWrites, WholeRequestsDoNotWait) {
  EXPECT_VERDICT(requests(0, exchange()).verdict(), Limit::application, Cause::slowWriter);
}

// --- left open

TEST(LeftOpen, WhatThePeerClosedLongAgoIsALeak) {
  const auto diagnosis =
      diagnose(ObservationBuilder().state(TcpState::closeWait).lastAck(std::chrono::seconds(61)).build(), {});
  const Finding* finding = found(diagnosis, RuleId::leftOpen);
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->severity, FindingSeverity::problem);
  EXPECT_TRUE(isActive(diagnosis)) << "it must not be left out as idle";
}

TEST(LeftOpen, WhatThePeerJustClosedIsNot) {
  const auto diagnosis =
      diagnose(ObservationBuilder().state(TcpState::closeWait).lastAck(std::chrono::seconds(5)).build(), {});
  EXPECT_EQ(found(diagnosis, RuleId::leftOpen), nullptr);
}

TEST(LeftOpen, WhatOnlyTheKernelHoldsIsNot) {
  const auto socket = [](std::uint32_t inode) {
    return ObservationBuilder().state(TcpState::finWait2).lastAck(std::chrono::seconds(90)).inode(inode).build();
  };
  EXPECT_EQ(found(diagnose(socket(0), {}), RuleId::leftOpen), nullptr);
  EXPECT_NE(found(diagnose(socket(77), {}), RuleId::leftOpen), nullptr);
}

}  // namespace
}  // namespace tcpscope
