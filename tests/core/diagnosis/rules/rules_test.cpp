// Each rule in a situation in which it must speak, and in one in which it must be silent.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/diagnosis/rules/rule_catalogue.h"
#include "core/diagnosis/rules/rules.h"
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

/// A sender that saturates a healthy bottleneck.
Situation healthy() {
  Situation situation([](ObservationBuilder& socket) {
    bulkSender(socket);
    socket.inFlight(60);
  });
  situation.repeat(30, kStep, busyStep());
  return situation;
}

const Finding* found(const std::vector<Finding>& findings, RuleId rule) {
  for (const Finding& finding : findings) {
    if (finding.rule == rule) return &finding;
  }
  return nullptr;
}

std::vector<Finding> sendingFindings(const Situation& situation) {
  const auto diagnosis = situation.diagnosis();
  return diagnosis.sending ? diagnosis.sending->findings : std::vector<Finding>{};
}

std::vector<Finding> receivingFindings(const Situation& situation) {
  const auto diagnosis = situation.diagnosis();
  return diagnosis.receiving ? diagnosis.receiving->findings : std::vector<Finding>{};
}

double figure(const Finding& finding, std::string_view key) {
  for (const Evidence& evidence : finding.evidence) {
    if (evidence.key == key) return evidence.value;
  }
  ADD_FAILURE() << "no evidence " << key;
  return 0.0;
}

TEST(Rules, AHealthyBulkTransferHasNothingButItsWindow) {
  const auto findings = sendingFindings(healthy());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, RuleId::congestionWindow);
  EXPECT_EQ(findings[0].severity, FindingSeverity::note);
}

TEST(Rules, AClampedCongestionWindowIsAProblem) {
  Situation situation(bulkSender);
  situation.repeat(40, kStep, busyStep());
  const auto findings = sendingFindings(situation);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, RuleId::congestionWindow);
  EXPECT_EQ(findings[0].severity, FindingSeverity::problem);
}

TEST(Rules, ATransferInSlowStartGetsItsRtts) {
  Situation situation([](ObservationBuilder& socket) { bulkSender(socket); });
  Growth growth = busyStep();
  growth.delivered = growth.segmentsOut = 130;
  situation.step(kStep, growth, [](ObservationBuilder& socket) { socket.congestionWindow(140).inFlight(140); });
  const auto findings = sendingFindings(situation);
  const Finding* finding = found(findings, RuleId::slowStart);
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(figure(*finding, "slow_start_rtts"), 4) << "10, 20, 40 and 60 segments";
  EXPECT_EQ(found(sendingFindings(healthy()), RuleId::slowStart), nullptr);
}

/// Bursts after silences; the window goes from 320 segments to `restart`, and grows again.
Situation burstsFrom(std::uint32_t restart, std::uint32_t lost = 0) {
  Situation situation([](ObservationBuilder& socket) {
    bulkSender(socket);
    socket.congestionWindow(320);
  });
  for (int burst = 0; burst < 4; ++burst) {
    situation.repeat(10, kStep, Growth{});
    Growth growth = busyStep();
    growth.retransmitted = lost;
    situation.step(kStep, growth, [=](ObservationBuilder& socket) { socket.congestionWindow(restart); });
    situation.step(kStep, busyStep(), [](ObservationBuilder& socket) { socket.congestionWindow(320); });
  }
  return situation;
}

TEST(Rules, AWindowThatStartsAgainAfterEachSilenceIsAnIdleRestart) {
  const auto findings = sendingFindings(burstsFrom(20));
  const Finding* finding = found(findings, RuleId::idleRestart);
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(figure(*finding, "idle_restarts"), 4);
  EXPECT_EQ(figure(*finding, "idle_restart_rtts"), 4) << "from 20 to 320 segments";
  EXPECT_EQ(found(sendingFindings(burstsFrom(300)), RuleId::idleRestart), nullptr);
  EXPECT_EQ(found(sendingFindings(burstsFrom(20, 3)), RuleId::idleRestart), nullptr) << "a loss made it small";
}

TEST(Rules, SegmentsFarBelowThePathMtuAreReported) {
  for (const std::uint32_t mss : {524U, 1448U}) {
    Situation situation([mss](ObservationBuilder& socket) {
      bulkSender(socket);
      socket.remote("192.0.2.7", 443).mss(mss).set(tcp_info::kPmtu, 1500U);
    });
    situation.repeat(30, kStep, busyStep());
    const auto findings = sendingFindings(situation);
    EXPECT_EQ(found(findings, RuleId::smallSegments) != nullptr, mss < 1000) << mss;
  }
}

TEST(Rules, ReceiverWindowTooSmall) {
  Situation situation([](ObservationBuilder& socket) { socket.peerWindow(18'824).windowScales(0, 7); });
  Growth growth = busyStep(80'000);
  growth.receiverLimited = kStep;
  situation.repeat(30, kStep, growth);
  const auto findings = sendingFindings(situation);
  const Finding* finding = found(findings, RuleId::receiverWindowTooSmall);
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->severity, FindingSeverity::problem);
  EXPECT_EQ(figure(*finding, "peer_window_largest_bytes"), 18'824);
  EXPECT_EQ(found(findings, RuleId::receivingApplicationTooSlow), nullptr);
}

TEST(Rules, ReceivingApplicationTooSlowFromBothEnds) {
  Situation sender([](ObservationBuilder& socket) { socket.peerWindow(0); });
  Growth stuck;
  stuck.busy = stuck.receiverLimited = kStep;
  sender.step(kStep, busyStep()).repeat(30, kStep, stuck);
  EXPECT_NE(found(sendingFindings(sender), RuleId::receivingApplicationTooSlow), nullptr);
  EXPECT_EQ(found(sendingFindings(sender), RuleId::receiverWindowTooSmall), nullptr);

  Situation receiver([](ObservationBuilder& socket) { socket.ownWindow(10'000).queues(60'000, 0); });
  Growth arrives;
  arrives.received = 30'000;
  receiver.repeat(30, kStep, arrives);
  const auto findings = receivingFindings(receiver);
  const Finding* finding = found(findings, RuleId::receivingApplicationTooSlow);
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(figure(*finding, "receive_queue_largest_bytes"), 60'000);
}

TEST(Rules, WindowScaleCapsWindow) {
  Situation situation([](ObservationBuilder& socket) { socket.peerWindow(65'535).windowScales(0, 0); });
  Growth growth = busyStep();
  growth.receiverLimited = kStep;
  situation.repeat(30, kStep, growth);
  const auto findings = sendingFindings(situation);
  const Finding* finding = found(findings, RuleId::windowScaleCapsWindow);
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->severity, FindingSeverity::problem);
}

TEST(Rules, AWindowAtItsCeilingThatDoesNotHoldBackIsANote) {
  Situation situation([](ObservationBuilder& socket) {
    bulkSender(socket);
    socket.peerWindow(131'070).windowScales(1, 0);
  });
  situation.repeat(30, kStep, busyStep());
  const auto findings = sendingFindings(situation);
  const Finding* finding = found(findings, RuleId::windowScaleCapsWindow);
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->severity, FindingSeverity::note);
}

TEST(Rules, SendBufferTooSmallAndLocked) {
  Situation situation([](ObservationBuilder& socket) {
    socket.inFlight(20).applicationLimited(true).sendMemory(30'000, 32'768).locks(true, false);
  });
  situation.repeat(30, kStep, busyStep());
  const auto findings = sendingFindings(situation);
  EXPECT_NE(found(findings, RuleId::sendBufferTooSmall), nullptr);
  const Finding* locked = found(findings, RuleId::bufferLocked);
  ASSERT_NE(locked, nullptr);
  EXPECT_EQ(locked->severity, FindingSeverity::problem);
  EXPECT_EQ(figure(*locked, "send_buffer_bytes"), 32'768);
}

TEST(Rules, ALockedBufferThatDoesNotHoldBackIsANote) {
  Situation situation([](ObservationBuilder& socket) {
    bulkSender(socket);
    socket.sendMemory(500'000, 4'000'000).locks(true, true);
  });
  situation.repeat(30, kStep, busyStep());
  const auto findings = sendingFindings(situation);
  const Finding* locked = found(findings, RuleId::bufferLocked);
  ASSERT_NE(locked, nullptr);
  EXPECT_EQ(locked->severity, FindingSeverity::note);
}

TEST(Rules, ReceiveBufferTooSmall) {
  Situation situation(
      [](ObservationBuilder& socket) { socket.ownWindow(40'000).receiveMemory(0, 65'536).locks(false, true); });
  Growth arrives;
  arrives.received = 190'000;
  situation.repeat(30, kStep, arrives);
  const auto findings = receivingFindings(situation);
  EXPECT_NE(found(findings, RuleId::receiveBufferTooSmall), nullptr);
  EXPECT_NE(found(findings, RuleId::bufferLocked), nullptr);
}

TEST(Rules, AClampedWindowIsNoMatterOfTheBuffer) {
  Situation situation([](ObservationBuilder& socket) {
    socket.ownWindow(32'000).windowScales(7, 7).receiveMemory(0, 400'000).locks(false, true);
  });
  Growth arrives;
  arrives.received = 155'000;
  situation.repeat(30, kStep, arrives);
  const auto findings = receivingFindings(situation);
  EXPECT_EQ(found(findings, RuleId::receiveBufferTooSmall), nullptr);
  const Finding* locked = found(findings, RuleId::bufferLocked);
  ASSERT_NE(locked, nullptr);
  EXPECT_EQ(locked->severity, FindingSeverity::note);
}

TEST(Rules, NetworkLoss) {
  Situation situation(bulkSender);
  Growth lossy = busyStep();
  lossy.retransmitted = 2;
  situation.repeat(15, kStep, busyStep()).repeat(15, kStep, lossy);
  const auto findings = sendingFindings(situation);
  const Finding* finding = found(findings, RuleId::networkLoss);
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->severity, FindingSeverity::problem);
  EXPECT_EQ(figure(*finding, "retransmitted_segments"), 30);
  EXPECT_GE(finding->confidenceRatio, 0.8);
}

TEST(Rules, LossesOfASenderThatSendsAtItsPaceAreANote) {
  ConnectionEvidence evidence;
  evidence.dataSegments = 10'000;
  evidence.retransmittedSegments = 30;
  evidence.duplicateSegments = 0;
  Verdict verdict;
  EXPECT_EQ(rules::networkLoss(evidence, verdict)->severity, FindingSeverity::warning);
  verdict.cause = Cause::pacing;
  EXPECT_EQ(rules::networkLoss(evidence, verdict)->severity, FindingSeverity::note);
}

TEST(Rules, ASingleRetransmissionProvesLittle) {
  Situation situation(bulkSender);
  Growth lossy = busyStep();
  lossy.retransmitted = 1;
  situation.step(kStep, lossy).repeat(30, kStep, busyStep());
  const auto findings = sendingFindings(situation);
  const Finding* finding = found(findings, RuleId::networkLoss);
  ASSERT_NE(finding, nullptr);
  EXPECT_LT(finding->confidenceRatio, 0.8);
}

TEST(Rules, Queueing) {
  Situation situation([](ObservationBuilder& socket) {
    bulkSender(socket);
    socket.rtt(milliseconds(150), milliseconds(30));
  });
  situation.repeat(30, kStep, busyStep());
  const auto findings = sendingFindings(situation);
  const Finding* finding = found(findings, RuleId::queueing);
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(figure(*finding, "queue_delay_us"), 120'000);
}

TEST(Rules, ALoopbackHasNoPathToQueueOn) {
  Situation situation([](ObservationBuilder& socket) {
    bulkSender(socket);
    socket.remote("127.0.0.1", 443).rtt(milliseconds(150), milliseconds(30));
  });
  situation.repeat(30, kStep, busyStep());
  EXPECT_EQ(found(sendingFindings(situation), RuleId::queueing), nullptr);
}

TEST(Rules, AHostsOwnDelaysAreNoQueue) {
  Situation situation([](ObservationBuilder& socket) {
    bulkSender(socket);
    socket.rtt(std::chrono::microseconds(400), std::chrono::microseconds(60));
  });
  situation.repeat(30, kStep, busyStep());
  EXPECT_EQ(found(sendingFindings(situation), RuleId::queueing), nullptr);
}

TEST(Rules, AProgramThatPausesShowsNoQueueOfThePath) {
  Situation situation([](ObservationBuilder& socket) {
    socket.inFlight(2).applicationLimited(true).notSent(0).rtt(milliseconds(150), milliseconds(30));
  });
  situation.repeat(30, kStep, busyStep(10'000));
  EXPECT_EQ(found(sendingFindings(situation), RuleId::queueing), nullptr) << "the other end may have acknowledged late";
}

TEST(Rules, AFewRttSamplesProveNoQueue) {
  Situation situation([](ObservationBuilder& socket) {
    bulkSender(socket);
    socket.rtt(milliseconds(150), milliseconds(30));
  });
  situation.repeat(4, kStep, busyStep());
  EXPECT_EQ(found(sendingFindings(situation), RuleId::queueing), nullptr);
}

TEST(Rules, PacingLimit) {
  Situation situation(
      [](ObservationBuilder& socket) { socket.inFlight(10).notSent(90'000).maxPacingRate(BitsPerSecond(16e6)); });
  situation.repeat(30, kStep, busyStep());
  EXPECT_NE(found(sendingFindings(situation), RuleId::pacingLimit), nullptr);
}

TEST(Rules, APacingLimitFarAboveTheRateIsNotNamed) {
  Situation situation([](ObservationBuilder& socket) {
    bulkSender(socket);
    socket.maxPacingRate(BitsPerSecond(1e9));
  });
  situation.repeat(30, kStep, busyStep());
  EXPECT_EQ(found(sendingFindings(situation), RuleId::pacingLimit), nullptr);
}

TEST(Rules, ApplicationTooSlow) {
  Situation situation([](ObservationBuilder& socket) { socket.inFlight(2).applicationLimited(true).notSent(0); });
  situation.repeat(30, kStep, busyStep(10'000));
  EXPECT_NE(found(sendingFindings(situation), RuleId::applicationTooSlow), nullptr);
}

TEST(Rules, OptionsMissing) {
  Situation situation([](ObservationBuilder& socket) {
    bulkSender(socket);
    socket.options(0).mss(536).windowScales(0, 0);
  });
  situation.repeat(30, kStep, busyStep());
  const auto findings = sendingFindings(situation);
  const Finding* finding = found(findings, RuleId::optionsMissing);
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->evidence.size(), 4U);
  EXPECT_EQ(finding->severity, FindingSeverity::warning);
}

TEST(Rules, MissingTimestampsAloneAreANote) {
  Situation situation([](ObservationBuilder& socket) {
    bulkSender(socket);
    socket.options(0x6);
  });
  situation.repeat(30, kStep, busyStep());
  const auto findings = sendingFindings(situation);
  const Finding* finding = found(findings, RuleId::optionsMissing);
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->severity, FindingSeverity::note);
}

TEST(Rules, SmallSegmentsOnLoopbackAreNobodysFault) {
  Situation situation([](ObservationBuilder& socket) {
    bulkSender(socket);
    socket.remote("127.0.0.1", 80).mss(536);
  });
  situation.repeat(30, kStep, busyStep());
  EXPECT_EQ(found(sendingFindings(situation), RuleId::optionsMissing), nullptr);
}

TEST(Rules, Timeouts) {
  Situation situation(bulkSender);
  Growth waiting = busyStep(5'000);
  waiting.timeouts = 1;
  waiting.inTimeout = milliseconds(60);
  situation.repeat(20, kStep, waiting);
  const auto findings = sendingFindings(situation);
  const Finding* finding = found(findings, RuleId::timeouts);
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->severity, FindingSeverity::problem);
  EXPECT_EQ(figure(*finding, "timeouts"), 20);
}

TEST(Rules, TimeWithoutATimeoutIsNoFindingOfTimeouts) {
  Situation situation(bulkSender);
  Growth waiting = busyStep(5'000);
  waiting.inTimeout = milliseconds(60);
  situation.repeat(20, kStep, waiting);
  EXPECT_EQ(found(sendingFindings(situation), RuleId::timeouts), nullptr);
}

TEST(Rules, TimeoutsWhoseWaitIsLongerThanTheSpanAreFound) {
  ConnectionEvidence evidence;
  evidence.dataSegments = 1;
  evidence.timeouts = 0;
  evidence.consecutiveTimeouts = Count(5);
  evidence.limits.add(Limit::timeout, seconds(3));
  const auto findings = findingsOf(evidence, Verdict());
  const Finding* finding = found(findings, RuleId::timeouts);
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(figure(*finding, "timeouts"), 5);
}

TEST(Rules, AProbeOfTheTailIsNoWordAboutTimeouts) {
  Situation situation(bulkSender);
  situation.repeat(29, kStep, busyStep());
  Growth probing = busyStep();
  probing.inTimeout = milliseconds(1);
  situation.repeat(1, kStep, probing);
  EXPECT_EQ(found(sendingFindings(situation), RuleId::timeouts), nullptr);
}

TEST(Rules, ReorderingIsNotTakenForLoss) {
  Situation situation(bulkSender);
  Growth late = busyStep();
  late.retransmitted = late.duplicates = 3;
  late.reorderings = 1;
  situation.repeat(30, kStep, late);
  const auto findings = sendingFindings(situation);
  const Finding* finding = found(findings, RuleId::reordering);
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->severity, FindingSeverity::problem);
  EXPECT_EQ(found(findings, RuleId::networkLoss), nullptr);
}

TEST(Rules, ASinglePacketThatArrivedTwiceIsNoReordering) {
  Situation situation(bulkSender);
  Growth probe = busyStep();
  probe.retransmitted = probe.duplicates = 1;
  situation.repeat(29, kStep, busyStep()).step(kStep, probe);
  EXPECT_EQ(found(sendingFindings(situation), RuleId::reordering), nullptr);
}

TEST(Rules, NeedlessTailLossProbesAreNoReordering) {
  // A slow reader's window closes again and again; what the probes retransmit had arrived, and nothing out of order.
  Situation situation([](ObservationBuilder& socket) { socket.peerWindow(18'824).windowScales(0, 7); });
  Growth probing = busyStep(80'000);
  probing.receiverLimited = kStep;
  probing.retransmitted = probing.duplicates = 1;
  situation.repeat(30, kStep, probing);
  EXPECT_EQ(found(sendingFindings(situation), RuleId::reordering), nullptr);
}

TEST(Rules, EcnMarks) {
  Situation situation(bulkSender);
  Growth marked = busyStep();
  marked.marked = 10;
  situation.repeat(30, kStep, marked);
  const auto findings = sendingFindings(situation);
  const Finding* finding = found(findings, RuleId::ecnMarks);
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->severity, FindingSeverity::warning);
}

TEST(Rules, GraverFindingsComeFirst) {
  Situation situation([](ObservationBuilder& socket) {
    socket.peerWindow(18'824).windowScales(0, 7).options(0x6).locks(true, false).sendMemory(1'000, 900'000);
  });
  Growth growth = busyStep(80'000);
  growth.receiverLimited = kStep;
  situation.repeat(30, kStep, growth);
  const auto findings = sendingFindings(situation);
  ASSERT_GE(findings.size(), 3U);
  EXPECT_EQ(findings.front().rule, RuleId::receiverWindowTooSmall);
  EXPECT_TRUE(std::is_sorted(findings.begin(), findings.end(),
                             [](const Finding& a, const Finding& b) { return a.severity > b.severity; }));
}

// ---- listeners

SocketObservation listener(std::uint64_t waiting, std::uint64_t backlog) {
  return ObservationBuilder().state(TcpState::listen).queues(waiting, backlog).build();
}

TEST(ListenerRules, AFullAcceptQueueIsAProblem) {
  const auto findings = diagnoseListener(listener(129, 128));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, RuleId::acceptQueueOverflow);
  EXPECT_EQ(findings[0].severity, FindingSeverity::problem);
}

TEST(ListenerRules, ANearlyFullOneIsAWarning) {
  const auto findings = diagnoseListener(listener(110, 128));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, FindingSeverity::warning);
}

TEST(ListenerRules, AnEmptyOneIsNothing) {
  EXPECT_TRUE(diagnoseListener(listener(0, 128)).empty());
  EXPECT_TRUE(diagnoseListener(listener(0, 0)).empty());
}

}  // namespace
}  // namespace tcpscope
