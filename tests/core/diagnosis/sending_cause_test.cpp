// What in the path holds a sender back, as it was seen on real sockets. Figures are rounded from Linux 6.18.
#include <gmock/gmock.h>

#include "core/diagnosis/evidence/confidence.h"
#include "tests/core/diagnosis/sender_situation.h"

namespace tcpscope {
namespace {

using std::chrono::milliseconds;
using namespace test;

TEST(SendingVerdict, LossWithoutAQueueIsLoss) {
  Situation situation(bulkSender);
  for (const std::uint32_t threshold : {70U, 52U, 44U, 90U, 61U, 38U, 75U, 57U, 49U, 103U}) {
    situation.repeat(3, kStep, busyStep());
    Growth lossy = busyStep();
    lossy.retransmitted = 1;
    situation.step(kStep, lossy,
                   [threshold](ObservationBuilder& socket) { socket.set(tcp_info::kSndSsthresh, threshold); });
  }
  EXPECT_VERDICT(situation.verdict(), Limit::network, Cause::loss);
  EXPECT_GE(situation.verdict().confidenceRatio, kConfident);
}

/// A sender without loss or queue whose congestion window grows by a tenth in each step.
Situation growingSender(std::uint32_t slowStartThreshold, std::uint32_t retransmitted = 0) {
  const auto describe = [=](std::uint32_t window) {
    return [=](ObservationBuilder& socket) {
      bulkSender(socket);
      socket.rtt(milliseconds(20), milliseconds(20)).set(tcp_info::kSndSsthresh, slowStartThreshold);
      socket.set(tcp_info::kTotalRetrans, retransmitted).congestionWindow(window).inFlight(window);
    };
  };
  Situation situation(describe(20));
  for (std::uint32_t window = 22; window < 200; window += window / 10) {
    situation.step(kStep, busyStep(window * 1448 * 5), describe(window));
  }
  return situation;
}

TEST(SendingVerdict, AWindowThatGrowsInTheFirstSlowStartIsSlowStart) {
  constexpr std::uint32_t kInfinite = 0x7fffffff;
  EXPECT_VERDICT(growingSender(kInfinite).verdict(), Limit::network, Cause::slowStart);
  EXPECT_VERDICT(growingSender(500).verdict(), Limit::network, Cause::slowStart);
  EXPECT_VERDICT(growingSender(20).verdict(), Limit::network, Cause::unknown);
  EXPECT_VERDICT(growingSender(500, 7).verdict(), Limit::network, Cause::unknown);
}

/// A transfer over 50 ms that was seen twice before its end: all that was delivered made the window grow.
Situation shortTransfer(std::uint32_t window, std::uint32_t delivered) {
  Situation situation([](ObservationBuilder& socket) {
    socket.rtt(milliseconds(54), milliseconds(50)).congestionWindow(20).inFlight(20).notSent(100'000);
  });
  Growth growth = busyStep();
  growth.delivered = growth.segmentsOut = delivered;
  situation.step(kStep, growth, [=](ObservationBuilder& socket) { socket.congestionWindow(window).inFlight(window); });
  return situation;
}

TEST(SendingVerdict, AShortTransferWhoseWindowGrewWithEverySegmentIsSlowStart) {
  EXPECT_VERDICT(shortTransfer(80, 70).verdict(), Limit::network, Cause::slowStart);
  EXPECT_VERDICT(shortTransfer(20, 4000).verdict(), Limit::network, Cause::cwndClamp) << "it stands";
}

TEST(SendingVerdict, ALongQueueIsTheQueueAlthoughItOverflowsAtTimes) {
  Situation situation([](ObservationBuilder& socket) {
    bulkSender(socket);
    socket.rtt(milliseconds(157), milliseconds(30));
  });
  Growth overflow = busyStep();
  overflow.retransmitted = 40;
  situation.repeat(20, kStep, busyStep()).step(kStep, overflow).repeat(20, kStep, busyStep());
  EXPECT_VERDICT(situation.verdict(), Limit::network, Cause::queue);
}

/// A sender on a path of 20 ms, held up in its queue for this long.
Situation queuedFor(milliseconds queue) {
  return Situation([queue](ObservationBuilder& socket) {
    bulkSender(socket);
    socket.rtt(milliseconds(20) + queue, milliseconds(20));
  });
}

TEST(SendingVerdict, AQueueOfOneRttSaturatesTheBottleneckAndIsNoFault) {
  Situation situation = queuedFor(milliseconds(16));
  Growth overflow = busyStep();
  overflow.retransmitted = 2;
  situation.repeat(20, kStep, busyStep()).step(kStep, overflow).repeat(20, kStep, busyStep());
  EXPECT_VERDICT(situation.verdict(), Limit::network, Cause::pathFull);
  EXPECT_GE(situation.verdict().confidenceRatio, kConfident);
  const ConnectionDiagnosis diagnosis = situation.diagnosis();
  for (const Finding& finding : diagnosis.sending->findings) {
    EXPECT_EQ(name(finding.severity), name(FindingSeverity::note)) << name(finding.rule);
  }
}

TEST(SendingVerdict, BetweenAFullPathAndATooLongQueueNothingIsSure) {
  for (const int queue : {32, 34}) {
    Situation situation = queuedFor(milliseconds(queue));
    situation.repeat(40, kStep, busyStep());
    EXPECT_EQ(name(situation.verdict().limit), name(Limit::network));
    EXPECT_LT(situation.verdict().confidenceRatio, kConfident) << queue;
  }
}

constexpr Microseconds kNearlyNoQueue{20'300};

/// Seconds of loss events, each of which leaves the window at one of these thresholds; so many steps without loss
/// follow each, the last number again and again.
Situation lossAt(std::initializer_list<std::uint32_t> thresholds, std::uint64_t ackedEachStep = 200'000,
                 Microseconds rttAtLoss = kNearlyNoQueue, const std::vector<int>& stepsBetween = {4}) {
  Situation situation([](ObservationBuilder& socket) {
    bulkSender(socket);
    socket.rtt(kNearlyNoQueue, milliseconds(20));
  });
  std::size_t event = 0;
  for (const std::uint32_t threshold : thresholds) {
    Growth lossy = busyStep(ackedEachStep);
    lossy.retransmitted = 2;
    const auto describe = [threshold](ObservationBuilder& socket) {
      socket.set(tcp_info::kSndSsthresh, threshold).congestionWindow(threshold).inFlight(threshold);
    };
    const auto describeLoss = [&](ObservationBuilder& socket) {
      describe(socket);
      socket.rtt(rttAtLoss, milliseconds(20));
    };
    const auto describeGrowth = [&](ObservationBuilder& socket) {
      describe(socket);
      socket.rtt(kNearlyNoQueue, milliseconds(20));
    };
    const int quiet = stepsBetween[std::min(event++, stepsBetween.size() - 1)];
    situation.step(kStep, lossy, describeLoss).repeat(quiet, kStep, busyStep(ackedEachStep), describeGrowth);
  }
  return situation;
}

TEST(SendingVerdict, LossAtTheSameWindowEachTimeWithoutAQueueIsAPolicer) {
  const Situation situation = lossAt({40, 42, 41, 40, 43, 41, 40, 42});
  EXPECT_VERDICT(situation.verdict(), Limit::network, Cause::policer);
  EXPECT_GE(situation.verdict().confidenceRatio, kConfident);
}

TEST(SendingVerdict, LossAtAnyWindowIsNoPolicer) {
  const Situation situation = lossAt({40, 65, 31, 52, 24, 41, 80, 33});
  EXPECT_VERDICT(situation.verdict(), Limit::network, Cause::loss);
  EXPECT_GE(situation.verdict().confidenceRatio, kConfident);
}

TEST(SendingVerdict, AShortQueueThatFillsBeforeEachLossIsNoPolicer) {
  const Situation situation = lossAt({40, 42, 41, 40, 43, 41, 40, 42}, 200'000, milliseconds(23));
  ASSERT_LT(*situation.window().rttUs.mean(), 1.05 * 20'000.0) << "on average the queue is not seen";
  EXPECT_EQ(name(situation.verdict().cause), name(Cause::loss));
}

TEST(SendingVerdict, AFewLossesAtTheSameWindowMayBeChance) {
  for (const auto& situation :
       {lossAt({40, 41, 40}), lossAt({40, 41, 40, 42, 41}), lossAt({40, 41, 40, 42, 41, 40, 41})}) {
    EXPECT_VERDICT(situation.verdict(), Limit::network, Cause::loss);
    EXPECT_LT(situation.verdict().confidenceRatio, kConfident);
  }
}

TEST(SendingVerdict, APolicerThatDropsManyPacketsIsStillAPolicer) {
  // 9 Mbit/s over 16 ms: windows are so small that what is dropped each time is two in a hundred.
  const Situation situation = lossAt({7, 7, 8, 7, 7, 7, 8, 7, 7, 7, 7, 8}, 24'000);
  EXPECT_VERDICT(situation.verdict(), Limit::network, Cause::policer);
  EXPECT_GE(situation.verdict().confidenceRatio, kConfident);
}

TEST(SendingVerdict, LossAtWindowsThatVaryALittleIsAPolicerOrChance) {
  // On a busy machine packets come in lumps, which a policer meets at smaller windows; CUBIC's windows at random losses
  // lie as close together at times.
  for (const auto& situation : {lossAt({37, 32, 40, 29, 41, 30, 38, 33}), lossAt({37, 30, 42, 27, 45, 29, 40, 33})}) {
    EXPECT_EQ(name(situation.verdict().limit), name(Limit::network));
    EXPECT_LT(situation.verdict().confidenceRatio, kConfident);
  }
}

TEST(SendingVerdict, LossAtWindowsThatVaryALittleAndAtAnyTimeIsChance) {
  const Situation situation =
      lossAt({37, 30, 42, 27, 45, 29, 40, 33, 36}, 200'000, kNearlyNoQueue, {1, 14, 1, 3, 1, 20, 1, 2, 7});
  EXPECT_VERDICT(situation.verdict(), Limit::network, Cause::loss);
  EXPECT_GE(situation.verdict().confidenceRatio, kConfident);
}

TEST(SendingVerdict, TwoLossesAreTooFewToIdentifyAPolicer) {
  const Situation situation = lossAt({40, 65});
  EXPECT_VERDICT(situation.verdict(), Limit::network, Cause::loss);
  EXPECT_LT(situation.verdict().confidenceRatio, kConfident);
}

TEST(SendingVerdict, AWindowThatTheHostsOwnLinkLeavesUnusedIsAFullPath) {
  Situation situation([](ObservationBuilder& socket) {
    bulkSender(socket);
    socket.inFlight(60);
  });
  situation.repeat(40, kStep, busyStep());
  EXPECT_VERDICT(situation.verdict(), Limit::network, Cause::pathFull);
  EXPECT_GE(situation.verdict().confidenceRatio, kConfident);
}

TEST(SendingVerdict, AUsedUpWindowThatStandsStillWithoutQueueOrLossIsClamped) {
  Situation situation(bulkSender);
  situation.repeat(40, kStep, busyStep());
  EXPECT_VERDICT(situation.verdict(), Limit::network, Cause::cwndClamp);
  EXPECT_GE(situation.verdict().confidenceRatio, kConfident);
}

TEST(SendingVerdict, AFewRttsAreTooShortToSayThatAWindowIsClamped) {
  Situation situation([](ObservationBuilder& socket) {
    bulkSender(socket);
    socket.rtt(milliseconds(600), milliseconds(600));
  });
  situation.repeat(40, kStep, busyStep());
  EXPECT_VERDICT(situation.verdict(), Limit::network, Cause::cwndClamp);
  EXPECT_LT(situation.verdict().confidenceRatio, kConfident);
}

TEST(SendingVerdict, AUsedUpWindowThatGrowsBySegmentsIsNeitherClampedNorAFullPath) {
  Situation situation(bulkSender);
  for (unsigned round = 1; round <= 20; ++round) {
    situation.step(kStep, busyStep(), [round](ObservationBuilder& socket) {
      socket.set(tcp_info::kSndSsthresh, 100U).congestionWindow(100 + round).inFlight(100 + round);
    });
  }
  EXPECT_VERDICT(situation.verdict(), Limit::network, Cause::unknown);
  EXPECT_LT(situation.verdict().confidenceRatio, kConfident);
}

TEST(SendingVerdict, APathThatIsFullInBurstsIsNoSureLimit) {
  Situation situation = queuedFor(milliseconds(8));
  Growth burst = busyStep();
  burst.busy = milliseconds(64);
  situation.repeat(40, kStep, burst);
  EXPECT_VERDICT(situation.verdict(), Limit::network, Cause::pathFull);
  EXPECT_LT(situation.verdict().confidenceRatio, kConfident);
}

TEST(SendingVerdict, AWindowThatStillGrowsIsNoFullPath) {
  Situation situation(bulkSender);
  for (unsigned round = 1; round <= 20; ++round) {
    situation.step(kStep, busyStep(), [round](ObservationBuilder& socket) {
      socket.set(tcp_info::kSndSsthresh, 100U).congestionWindow(100 + round * 10).inFlight(100 + round * 10);
    });
  }
  EXPECT_VERDICT(situation.verdict(), Limit::network, Cause::unknown);
  EXPECT_LT(situation.verdict().confidenceRatio, kConfident);
}

TEST(SendingVerdict, ALossBeforeTheSpanIsNoCauseInIt) {
  const auto lostEarlier = [](ObservationBuilder& socket) { socket.set(tcp_info::kTotalRetrans, 3U); };
  Situation situation([&](ObservationBuilder& socket) {
    bulkSender(socket);
    lostEarlier(socket);
  });
  situation.repeat(20, kStep, busyStep(), lostEarlier);
  EXPECT_VERDICT(situation.verdict(), Limit::network, Cause::unknown);
}

TEST(SendingVerdict, BbrIsNotSteeredByALittleLoss) {
  Situation situation([](ObservationBuilder& socket) {
    bulkSender(socket);
    socket.congestionControl("bbr");
  });
  Growth lossy = busyStep();
  lossy.retransmitted = 1;
  situation.repeat(40, kStep, lossy);
  EXPECT_VERDICT(situation.verdict(), Limit::network, Cause::pathFull);
}

TEST(SendingVerdict, TimeInRecoveryIsALimitWhereLossSlowsTheSenderDown) {
  for (const auto& [control, lost, limit, cause] :
       {std::tuple{"cubic", 2U, Limit::recovery, Cause::loss}, std::tuple{"bbr", 2U, Limit::network, Cause::pathFull},
        std::tuple{"bbr", 30U, Limit::recovery, Cause::loss}}) {
    Situation situation([name = control](ObservationBuilder& socket) {
      bulkSender(socket);
      socket.congestionControl(name).caState(CaState::recovery).rtt(milliseconds(60), milliseconds(30));
    });
    Growth lossy = busyStep();
    lossy.retransmitted = lost;
    situation.repeat(40, kStep, lossy);
    EXPECT_VERDICT(situation.verdict(), limit, cause) << control;
    EXPECT_GE(situation.verdict().confidenceRatio, kConfident) << control;
  }
}

TEST(SendingVerdict, TheProgramsOwnPacingLimitIsNamed) {
  Situation situation([](ObservationBuilder& socket) {
    socket.inFlight(14).congestionWindow(44).notSent(150'000).sendMemory(180'000, 202'752);
    socket.maxPacingRate(BitsPerSecond(8e6));
  });
  situation.repeat(40, kStep, busyStep(100'000));
  EXPECT_VERDICT(situation.verdict(), Limit::network, Cause::pacing);
}

TEST(SendingVerdict, NeedlessRetransmissionsAreReordering) {
  Situation situation(bulkSender);
  Growth late = busyStep();
  late.retransmitted = 3;
  late.duplicates = 3;
  late.reorderings = 1;
  situation.repeat(20, kStep, late);
  EXPECT_VERDICT(situation.verdict(), Limit::network, Cause::reordering);
}

TEST(SendingVerdict, TimeInRecoveryIsTheNetworksWhereNothingWasLost) {
  Situation situation([](ObservationBuilder& socket) {
    bulkSender(socket);
    socket.caState(CaState::recovery);
  });
  Growth late = busyStep();
  late.retransmitted = 3;
  late.duplicates = 3;
  late.reorderings = 1;
  situation.repeat(20, kStep, late);
  ASSERT_GT(situation.window().sending.ratio(Limit::recovery), 0.9);
  EXPECT_VERDICT(situation.verdict(), Limit::network, Cause::reordering);
}

TEST(SendingVerdict, MarksWithoutLossAreEcn) {
  Situation situation(bulkSender);
  Growth marked = busyStep();
  marked.marked = 4;
  situation.repeat(20, kStep, marked);
  EXPECT_VERDICT(situation.verdict(), Limit::network, Cause::ecn);
}

TEST(SendingVerdict, MostlyWaitingForTimeoutsIsNamedSo) {
  Situation situation([](ObservationBuilder& socket) { socket.inFlight(2).congestionWindow(2).notSent(90'000); });
  Growth waiting = busyStep(3'000);
  waiting.retransmitted = 1;
  waiting.timeouts = 1;
  waiting.inTimeout = milliseconds(80);
  situation.repeat(20, kStep, waiting);
  EXPECT_VERDICT(situation.verdict(), Limit::timeout, Cause::loss);
}

TEST(SendingVerdict, MarksThatKeepTheQueueShortAreEcn) {
  Situation situation = queuedFor(milliseconds(8));
  Growth marked = busyStep();
  marked.marked = 4;
  situation.repeat(20, kStep, marked);
  EXPECT_VERDICT(situation.verdict(), Limit::network, Cause::ecn);
}

/// A sender whose connection carried `segments` with `bytes`, and then nothing any more but retransmission timeouts.
Verdict stalledAfter(std::uint64_t bytes, std::uint32_t segments, std::uint64_t waiting) {
  ObservationBuilder builder;
  builder.inFlight(10).congestionWindow(1).notSent(90'000).queues(0, waiting);
  builder.set(tcp_info::kRetransmits, std::uint8_t{3}).acked(bytes).delivered(segments);
  WindowStatistics window;
  SocketObservation before = builder.at(milliseconds(0)).chronographs({}).timeouts(0, {}).build();
  for (int step = 1; step <= 40; ++step) {
    const milliseconds now = step * kStep;
    builder.at(now).chronographs(now).timeouts(static_cast<std::uint16_t>(step / 10), now);
    const SocketObservation sample = builder.build();
    window.addStep(before, sample);
    before = sample;
  }
  return judge(before, window).verdict;
}

TEST(SendingVerdict, WhereOnlySmallPacketsEverArrivedTheMtuIsTheCause) {
  for (const std::uint64_t greeting : {201U, 1U}) {
    const Verdict verdict = stalledAfter(greeting, 1, 104'480);
    EXPECT_VERDICT(verdict, Limit::timeout, Cause::mtu);
    // With not even a greeting through, the path may be dead for every packet.
    EXPECT_EQ(verdict.confidenceRatio >= kConfident, greeting > 1) << greeting;
  }
}

TEST(SendingVerdict, WhereFullSegmentsStallAfterManyMessagesTheMtuIsTheCause) {
  const Verdict verdict = stalledAfter(20 * 300, 20, 104'480);
  EXPECT_VERDICT(verdict, Limit::timeout, Cause::mtu);
  EXPECT_GE(verdict.confidenceRatio, kConfident);
}

TEST(SendingVerdict, AStallAfterFullSegmentsOrOfASmallOneIsNoMatterOfTheMtu) {
  EXPECT_VERDICT(stalledAfter(1000 * 1448, 1000, 104'480), Limit::timeout, Cause::loss);
  EXPECT_VERDICT(stalledAfter(20 * 300, 20, 300), Limit::timeout, Cause::loss);
}

TEST(SendingVerdict, LossAtTheSameWindowIsNoPolicerWhereTheReceiveWindowEndsItsGrowth) {
  Situation situation([](ObservationBuilder& socket) {
    bulkSender(socket);
    socket.peerWindow(100 * 1448);
  });
  for (int loss = 0; loss < 12; ++loss) {
    situation.repeat(10, kStep, busyStep());
    Growth lossy = busyStep();
    lossy.retransmitted = 1;
    situation.step(kStep, lossy, [](ObservationBuilder& socket) { socket.set(tcp_info::kSndSsthresh, 70U); });
  }
  EXPECT_VERDICT(situation.verdict(), Limit::network, Cause::loss);
  EXPECT_LT(situation.verdict().confidenceRatio, kConfident);
}

}  // namespace
}  // namespace tcpscope
