// Situations as they were seen on real sockets, and the answer that each must get. Figures are rounded from Linux 6.18.
#include "core/diagnosis/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/diagnosis/confidence.h"
#include "tests/core/diagnosis/situation.h"

namespace tcpscope {
namespace {

using std::chrono::milliseconds;
using test::Growth;
using test::ObservationBuilder;
using test::Situation;
using testing::Contains;
using testing::IsEmpty;
using testing::Not;

constexpr milliseconds kStep{100};

/// 100 ms of a sender that always has data under way.
Growth busyStep(std::uint64_t acked = 200'000) {
  Growth growth;
  growth.busy = kStep;
  growth.acked = acked;
  growth.segmentsOut = static_cast<std::uint32_t>(acked / 1448);
  growth.delivered = growth.segmentsOut;
  return growth;
}

Growth receiverLimitedStep() {
  Growth growth = busyStep(80'000);
  growth.receiverLimited = kStep;
  return growth;
}

/// A sender with more to send than the congestion window takes.
void bulkSender(ObservationBuilder& socket) {
  socket.congestionWindow(100).inFlight(100).notSent(500'000);
}

#define EXPECT_VERDICT(verdict, wantedLimit, wantedCause) \
  EXPECT_EQ(name((verdict).limit), name(wantedLimit));    \
  EXPECT_EQ(name((verdict).cause), name(wantedCause))

// ---- receiver

TEST(SendingVerdict, AStillSmallPeerWindowIsASmallBuffer) {
  Situation situation([](ObservationBuilder& socket) { socket.peerWindow(18'824).windowScales(0, 7).notSent(60'000); });
  situation.repeat(40, kStep, receiverLimitedStep());
  EXPECT_VERDICT(situation.verdict(), Limit::receiver, Cause::bufferLimit);
  EXPECT_GE(situation.verdict().confidenceRatio, kConfident);
}

TEST(SendingVerdict, APeerWindowThatBreathesIsASlowReaderEvenWithinTwoSegments) {
  Situation situation([](ObservationBuilder& socket) { socket.peerWindow(32'960).windowScales(2, 7); });
  for (int round = 0; round < 10; ++round) {
    situation.step(kStep, receiverLimitedStep(), [](ObservationBuilder& socket) { socket.peerWindow(34'400); });
    situation.step(kStep, receiverLimitedStep(), [](ObservationBuilder& socket) { socket.peerWindow(32'960); });
    situation.step(kStep, receiverLimitedStep());
  }
  EXPECT_VERDICT(situation.verdict(), Limit::receiver, Cause::slowReader);
  EXPECT_GE(situation.verdict().confidenceRatio, kConfident);
}

TEST(SendingVerdict, AClosedPeerWindowIsAReaderThatStopped) {
  Situation situation([](ObservationBuilder& socket) { socket.peerWindow(0); });
  Growth stuck;
  stuck.busy = stuck.receiverLimited = kStep;
  situation.repeat(20, kStep, stuck);
  EXPECT_VERDICT(situation.verdict(), Limit::receiver, Cause::slowReader);
}

TEST(SendingVerdict, APeerWindowAtTheCeilingOfItsScaleIsTheScale) {
  Situation situation([](ObservationBuilder& socket) { socket.peerWindow(262'140).windowScales(2, 7); });
  situation.repeat(20, kStep, receiverLimitedStep());
  EXPECT_VERDICT(situation.verdict(), Limit::receiver, Cause::windowScale);
}

TEST(SendingVerdict, APeerWindowWithoutScalingAtItsCeilingIsTheScale) {
  Situation situation([](ObservationBuilder& socket) { socket.peerWindow(65'535).windowScales(0, 0).options(0x3); });
  situation.repeat(20, kStep, receiverLimitedStep());
  EXPECT_VERDICT(situation.verdict(), Limit::receiver, Cause::windowScale);
}

TEST(SendingVerdict, AGrowingPeerWindowIsNoSlowReader) {
  Situation situation([](ObservationBuilder& socket) { socket.peerWindow(65'536); });
  for (unsigned size = 1; size <= 20; ++size) {
    situation.step(kStep, receiverLimitedStep(),
                   [size](ObservationBuilder& socket) { socket.peerWindow(65'536 + size * 20'000); });
  }
  EXPECT_VERDICT(situation.verdict(), Limit::receiver, Cause::bufferLimit);
  EXPECT_LT(situation.verdict().confidenceRatio, kConfident) << "the kernel over there is still tuning";
}

TEST(SendingVerdict, FewSamplesOfAStillWindowFarBelowItsScaleAreNotSureOfTheCause) {
  Situation situation([](ObservationBuilder& socket) { socket.peerWindow(11'264).windowScales(10, 7); });
  Growth second = receiverLimitedStep();
  second.busy = second.receiverLimited = milliseconds(1000);
  situation.repeat(4, milliseconds(1000), second);
  EXPECT_EQ(situation.verdict().limit, Limit::receiver);
  EXPECT_LT(situation.verdict().confidenceRatio, kConfident);
}

TEST(SendingVerdict, APacedSenderThatUsesTheWindowUpIsTheReceivers) {
  // BBR has learned its pace from the window and waits for its slots: the chronograph shows a quarter of the time.
  Situation situation([](ObservationBuilder& socket) {
    socket.congestionControl("bbr").peerWindow(50'000).windowScales(0, 7).inFlight(34).congestionWindow(136);
    socket.notSent(700'000);
  });
  Growth paced = busyStep(245'000);
  paced.receiverLimited = milliseconds(24);
  situation.repeat(40, kStep, paced);
  EXPECT_VERDICT(situation.verdict(), Limit::receiver, Cause::bufferLimit);
  EXPECT_GE(situation.verdict().confidenceRatio, kConfident);
}

// ---- send buffer

void smallSendBuffer(ObservationBuilder& socket) {
  socket.inFlight(46).congestionWindow(118).applicationLimited(true).notSent(376).sendMemory(30'000, 32'768);
}

TEST(SendingVerdict, AFullLockedSendBufferIsNamedAlthoughTheKernelCallsItApplicationLimited) {
  Situation situation([](ObservationBuilder& socket) {
    smallSendBuffer(socket);
    socket.locks(true, false);
  });
  situation.repeat(40, kStep, busyStep());
  EXPECT_VERDICT(situation.verdict(), Limit::sendBuffer, Cause::bufferLocked);
  EXPECT_GE(situation.verdict().confidenceRatio, kConfident);
}

TEST(SendingVerdict, AFullSendBufferWhoseLockIsNotKnownIsALimit) {
  Situation situation(smallSendBuffer);
  situation.repeat(40, kStep, busyStep());
  EXPECT_VERDICT(situation.verdict(), Limit::sendBuffer, Cause::bufferLimit);
}

TEST(SendingVerdict, TheKernelsOwnChronographOfTheSendBufferCounts) {
  Situation situation([](ObservationBuilder& socket) { socket.inFlight(20).notSent(0); });
  Growth growth = busyStep();
  growth.sendBufferLimited = milliseconds(90);
  situation.repeat(20, kStep, growth);
  EXPECT_EQ(situation.verdict().limit, Limit::sendBuffer);
}

TEST(SendingVerdict, AFullSendBufferWithDataWaitingForThePathIsThePath) {
  // BBR: the window has room, pacing holds the data back, and the program has filled the buffer behind it.
  Situation situation([](ObservationBuilder& socket) {
    socket.congestionControl("bbr").inFlight(114).congestionWindow(170).notSent(773'000);
    socket.sendMemory(996'000, 1'465'000);
  });
  situation.repeat(40, kStep, busyStep());
  EXPECT_VERDICT(situation.verdict(), Limit::network, Cause::pathFull);
}

// ---- application

TEST(SendingVerdict, AProgramThatDripsIsTheLimitAlthoughTheConnectionIsAlwaysBusy) {
  // 1 kB each 10 ms over 30 ms: Nagle's algorithm keeps a part of a segment back.
  Situation situation([](ObservationBuilder& socket) {
    socket.inFlight(3).congestionWindow(10).applicationLimited(true).notSent(552).sendMemory(7'328, 46'080);
  });
  situation.repeat(40, kStep, busyStep(10'000));
  EXPECT_VERDICT(situation.verdict(), Limit::application, Cause::slowWriter);
  EXPECT_GE(situation.verdict().confidenceRatio, kConfident);
}

TEST(SendingVerdict, AProgramThatPausesIsTheLimit) {
  Situation situation([](ObservationBuilder& socket) { socket.notSent(0); });
  for (int round = 0; round < 8; ++round) {
    Growth burst = busyStep(200'000);
    burst.busy = milliseconds(60);
    situation.step(kStep, burst);
    situation.repeat(4, kStep, Growth{});
  }
  EXPECT_VERDICT(situation.verdict(), Limit::application, Cause::slowWriter);
  EXPECT_GE(situation.verdict().confidenceRatio, kConfident);
}

TEST(SendingVerdict, AConnectionWithoutDataIsIdle) {
  Situation situation([](ObservationBuilder& socket) { socket.acked(5'000'000); });
  for (int look = 0; look < 5; ++look) situation.step(milliseconds(1000), Growth{});
  // The builder's totals start at zero: the first step is a reset of the counter and counts for nothing.
  EXPECT_VERDICT(situation.verdict(), Limit::idle, Cause::unknown);
  EXPECT_GE(situation.verdict().confidenceRatio, kConfident);
}

// ---- network

TEST(SendingVerdict, LossWithoutAQueueIsLoss) {
  Situation situation(bulkSender);
  for (int round = 0; round < 10; ++round) {
    situation.repeat(3, kStep, busyStep());
    Growth lossy = busyStep();
    lossy.retransmitted = 1;
    situation.step(kStep, lossy);
  }
  EXPECT_VERDICT(situation.verdict(), Limit::network, Cause::loss);
  EXPECT_GE(situation.verdict().confidenceRatio, kConfident);
}

TEST(SendingVerdict, ALongQueueIsTheQueueAlthoughItOverflowsAtTimes) {
  Situation situation([](ObservationBuilder& socket) {
    bulkSender(socket);
    socket.roundTrip(milliseconds(157), milliseconds(30));
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
    socket.roundTrip(milliseconds(20) + queue, milliseconds(20));
  });
}

TEST(SendingVerdict, AQueueOfARoundTripKeepsAPathFullAndIsNoFault) {
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

/// Three seconds of loss events, each of which leaves the window at one of these thresholds.
Situation lossAt(std::initializer_list<std::uint32_t> thresholds) {
  Situation situation([](ObservationBuilder& socket) {
    bulkSender(socket);
    socket.roundTrip(std::chrono::microseconds(20'300), milliseconds(20));
  });
  for (const std::uint32_t threshold : thresholds) {
    Growth lossy = busyStep();
    lossy.retransmitted = 2;
    const auto describe = [threshold](ObservationBuilder& socket) {
      socket.set(tcp_info::kSndSsthresh, threshold).congestionWindow(threshold).inFlight(threshold);
    };
    situation.step(kStep, lossy, describe).repeat(4, kStep, busyStep(), describe);
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

TEST(SendingVerdict, AFewLossesAtTheSameWindowAreAPolicerPerhaps) {
  const Situation situation = lossAt({40, 41, 40});
  EXPECT_VERDICT(situation.verdict(), Limit::network, Cause::policer);
  EXPECT_LT(situation.verdict().confidenceRatio, kConfident);
}

TEST(SendingVerdict, ASteadyWindowWithoutLossIsAFullPath) {
  Situation situation(bulkSender);
  situation.repeat(40, kStep, busyStep());
  EXPECT_VERDICT(situation.verdict(), Limit::network, Cause::pathFull);
  EXPECT_GE(situation.verdict().confidenceRatio, kConfident);
}

TEST(SendingVerdict, AWindowThatStillGrowsIsNoFullPath) {
  Situation situation(bulkSender);
  for (unsigned round = 1; round <= 20; ++round) {
    situation.step(kStep, busyStep(), [round](ObservationBuilder& socket) {
      socket.congestionWindow(100 + round * 10).inFlight(100 + round * 10);
    });
  }
  EXPECT_VERDICT(situation.verdict(), Limit::network, Cause::unknown);
  EXPECT_LT(situation.verdict().confidenceRatio, kConfident);
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

TEST(SendingVerdict, SendingLostPacketsAgainMostOfTheTimeIsLossWhateverTheControl) {
  Situation situation([](ObservationBuilder& socket) {
    bulkSender(socket);
    socket.congestionControl("bbr").caState(CaState::recovery).roundTrip(milliseconds(60), milliseconds(30));
  });
  Growth lossy = busyStep();
  lossy.retransmitted = 2;
  situation.repeat(40, kStep, lossy);
  EXPECT_VERDICT(situation.verdict(), Limit::recovery, Cause::loss);
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

TEST(SendingVerdict, WhereOnlySmallPacketsEverArrivedTheMtuIsTheCause) {
  for (const std::uint64_t greeting : {201U, 1U}) {
    ObservationBuilder builder;
    builder.inFlight(10).congestionWindow(1).notSent(90'000).mss(1448).acked(greeting);
    builder.set(tcp_info::kRetransmits, std::uint8_t{3});
    WindowStatistics window;
    SocketObservation before = builder.at(milliseconds(0)).chronographs({}).timeouts(0, {}).build();
    for (int step = 1; step <= 40; ++step) {
      const milliseconds now = step * kStep;
      builder.at(now).chronographs(now).timeouts(static_cast<std::uint16_t>(step / 10), now);
      const SocketObservation look = builder.build();
      window.addStep(before, look);
      before = look;
    }
    const Verdict verdict = verdictOf(before, window);
    EXPECT_VERDICT(verdict, Limit::timeout, Cause::mtu);
    // With not even a greeting through, the path may be dead for every packet.
    EXPECT_EQ(verdict.confidenceRatio >= kConfident, greeting > 1) << greeting;
  }
}

// ---- what cannot be said

TEST(SendingVerdict, ATieIsUnknownWithCandidates) {
  Situation situation(bulkSender);
  Growth half = busyStep();
  half.receiverLimited = milliseconds(50);
  situation.repeat(40, kStep, half);
  const Verdict verdict = situation.verdict();
  EXPECT_EQ(verdict.limit, Limit::unknown);
  EXPECT_THAT(verdict.candidates, Contains(Limit::receiver));
  EXPECT_THAT(verdict.candidates, Contains(Limit::network));
  EXPECT_EQ(verdict.confidenceRatio, 0.0);
}

TEST(SendingVerdict, ANarrowLeadIsNotConfident) {
  Situation situation(bulkSender);
  Growth most = busyStep();
  most.receiverLimited = milliseconds(56);
  situation.repeat(40, kStep, most);
  EXPECT_EQ(situation.verdict().limit, Limit::receiver);
  EXPECT_LT(situation.verdict().confidenceRatio, kConfident);
}

TEST(SendingVerdict, AShortLookIsNotConfident) {
  Situation situation(bulkSender);
  situation.repeat(3, kStep, busyStep());
  EXPECT_EQ(situation.verdict().limit, Limit::network);
  EXPECT_LT(situation.verdict().confidenceRatio, kConfident);
}

TEST(SendingVerdict, AGapIsNotConfident) {
  Situation situation(bulkSender);
  Growth unseen = busyStep(8'000'000);
  unseen.busy = milliseconds(4000);
  situation.repeat(5, kStep, busyStep()).step(milliseconds(4000), unseen);
  EXPECT_LT(situation.verdict().confidenceRatio, kConfident);
}

TEST(SendingVerdict, AKernelWithoutChronographsSaysNothing) {
  Situation situation([](ObservationBuilder& socket) {
    bulkSender(socket);
    socket.reportedBytes(160);
  });
  situation.repeat(20, kStep, busyStep());
  EXPECT_EQ(situation.verdict().limit, Limit::unknown);
  EXPECT_EQ(situation.verdict().confidenceRatio, 0.0);
}

TEST(SendingVerdict, NothingObservedIsUnknown) {
  const SocketObservation socket = ObservationBuilder().build();
  const Verdict verdict = verdictOf(socket, WindowStatistics{});
  EXPECT_EQ(verdict.limit, Limit::unknown);
  EXPECT_FALSE(verdict.goodput);
}

// ---- receiving

Growth receivedStep(std::uint64_t bytes) {
  Growth growth;
  growth.received = bytes;
  return growth;
}

TEST(ReceivingVerdict, UnreadDataIsASlowReader) {
  Situation situation([](ObservationBuilder& socket) { socket.ownWindow(13'000).queues(66'000, 0); });
  situation.repeat(20, kStep, receivedStep(40'000));
  EXPECT_VERDICT(situation.verdict(), Limit::application, Cause::slowReader);
  EXPECT_GE(situation.verdict().confidenceRatio, kConfident);
}

TEST(ReceivingVerdict, AReaderThatStoppedIsASlowReaderAlthoughNothingArrives) {
  Situation situation([](ObservationBuilder& socket) { socket.ownWindow(0).queues(65'000, 0); });
  situation.step(kStep, receivedStep(1000)).repeat(20, kStep, receivedStep(0));
  EXPECT_VERDICT(situation.verdict(), Limit::application, Cause::slowReader);
}

TEST(ReceivingVerdict, AUsedUpWindowThatIsReadAtOnceIsTheLockedBuffer) {
  // 80 kB each 20 ms is the window.
  Situation situation(
      [](ObservationBuilder& socket) { socket.ownWindow(80'000).windowScales(7, 1).locks(false, true); });
  situation.repeat(20, kStep, receivedStep(390'000));
  EXPECT_VERDICT(situation.verdict(), Limit::receiver, Cause::bufferLocked);
  EXPECT_GE(situation.verdict().confidenceRatio, kConfident);
}

TEST(ReceivingVerdict, AUsedUpWindowWithoutALockIsTheBuffersLimit) {
  Situation situation([](ObservationBuilder& socket) { socket.ownWindow(39'552); });
  situation.repeat(20, kStep, receivedStep(190'000));
  EXPECT_VERDICT(situation.verdict(), Limit::receiver, Cause::bufferLimit);
}

TEST(ReceivingVerdict, ABufferThatTheWindowScaleCannotTellTheSenderIsTheScale) {
  // Without window scaling the kernel still reports the 615 kB that it would like to advertise.
  Situation situation([](ObservationBuilder& socket) { socket.ownWindow(615'468).windowScales(0, 0); });
  situation.repeat(20, kStep, receivedStep(320'000));
  EXPECT_VERDICT(situation.verdict(), Limit::receiver, Cause::windowScale);
}

TEST(ReceivingVerdict, RoomInTheWindowLeavesTheAnswerToTheSender) {
  Situation situation([](ObservationBuilder& socket) { socket.ownWindow(3'000'000); });
  situation.repeat(20, kStep, receivedStep(390'000));
  const Verdict verdict = situation.verdict();
  EXPECT_EQ(verdict.limit, Limit::unknown);
  EXPECT_THAT(verdict.candidates, Contains(Limit::network));
  EXPECT_THAT(verdict.candidates, Contains(Limit::sendBuffer));
  EXPECT_THAT(verdict.candidates, Not(Contains(Limit::receiver)));
}

// ---- both

TEST(VerdictOf, IsTheOneOfTheBulkSideInTheDiagnosis) {
  Situation situation([](ObservationBuilder& socket) { socket.peerWindow(18'824).windowScales(0, 7); });
  situation.repeat(20, kStep, receiverLimitedStep());
  const ConnectionDiagnosis diagnosis = situation.diagnosis();
  ASSERT_TRUE(diagnosis.sending);
  EXPECT_EQ(diagnosis.bulk, Side::sending);
  EXPECT_EQ(diagnosis.sending->verdict.limit, situation.verdict().limit);
  EXPECT_EQ(diagnosis.sending->verdict.cause, situation.verdict().cause);
  EXPECT_EQ(diagnosis.sending->verdict.confidenceRatio, situation.verdict().confidenceRatio);
  EXPECT_EQ(diagnosis.sending->verdict.possible, situation.verdict().possible);
  EXPECT_THAT(diagnosis.sending->verdict.evidence, Not(IsEmpty()));
  EXPECT_THAT(situation.verdict().evidence, IsEmpty()) << "the list needs none";
}

TEST(Diagnosis, HasNoSideThatNeverCarriedData) {
  Situation situation(bulkSender);
  situation.repeat(5, kStep, busyStep());
  EXPECT_TRUE(situation.diagnosis().sending);
  EXPECT_FALSE(situation.diagnosis().receiving);
}

TEST(BulkSide, IsTheOneWithMoreBytesInTheSpan) {
  Situation situation([](ObservationBuilder&) {});
  Growth mostlyReceived = receivedStep(100'000);
  mostlyReceived.acked = 300;
  situation.repeat(3, kStep, mostlyReceived);
  EXPECT_EQ(bulkSide(situation.socket(), situation.window()), Side::receiving);
}

TEST(BulkSide, FallsBackToTheBytesSinceTheStart) {
  const SocketObservation socket = ObservationBuilder().acked(10).received(1'000).build();
  EXPECT_EQ(bulkSide(socket, WindowStatistics{}), Side::receiving);
}

}  // namespace
}  // namespace tcpscope
