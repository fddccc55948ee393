// Situations as they were seen on real sockets, and the answer that each must get. Figures are rounded from Linux 6.18.
#include "core/diagnosis/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/diagnosis/evidence/confidence.h"
#include "core/diagnosis/evidence/path_figures.h"
#include "tests/core/diagnosis/sender_situation.h"

namespace tcpscope {
namespace {

using std::chrono::milliseconds;
using namespace test;
using testing::Contains;
using testing::IsEmpty;
using testing::Not;

Growth receiverLimitedStep() {
  Growth growth = busyStep(80'000);
  growth.receiverLimited = kStep;
  return growth;
}

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

TEST(SendingVerdict, ASendBufferThatNeverFillsCompletelyIsASlowWriter) {
  // A program that writes 10 kB each 15 ms over 62 ms; the kernel had no reason yet to give it more than 87 kB.
  Situation situation([](ObservationBuilder& socket) {
    socket.inFlight(30).congestionWindow(73).applicationLimited(true).notSent(0).sendMemory(68'000, 87'040);
  });
  situation.repeat(40, kStep, busyStep());
  ASSERT_GT(situation.window().sending.ratio(Limit::sendBuffer), 0.9);
  EXPECT_VERDICT(situation.verdict(), Limit::application, Cause::slowWriter);
  EXPECT_GT(writerBehindRatio(kernelEvidence(situation.socket(), situation.window(), Side::sending)), 0.9)
      << "the evidence speaks for the verdict";
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
  for (int poll = 0; poll < 5; ++poll) situation.step(milliseconds(1000), Growth{});
  // The builder's totals start at zero: the first step is a reset of the counter and counts for nothing.
  EXPECT_VERDICT(situation.verdict(), Limit::idle, Cause::unknown);
  EXPECT_GE(situation.verdict().confidenceRatio, kConfident);
}

// ---- what cannot be said

/// A sender that waits for the receive window in four tenths of the time, and meets `losses` loss events in four
/// seconds.
Verdict windowBesideLoss(std::uint32_t window, int losses) {
  Situation situation([=](ObservationBuilder& socket) {
    bulkSender(socket);
    socket.peerWindow(window).rtt(milliseconds(20), milliseconds(20));
  });
  for (int step = 0; step < 40; ++step) {
    Growth growth = busyStep(window * 3);
    growth.receiverLimited = milliseconds(40);
    growth.retransmitted = step % (40 / losses) == 0 ? 1 : 0;
    situation.step(kStep, growth,
                   [](ObservationBuilder& socket) { socket.inFlight(40).set(tcp_info::kSndSsthresh, 30U); });
  }
  return situation.verdict();
}

TEST(SendingVerdict, OfAWindowAndLossTheOneWithTheLowerBoundIsTheLimit) {
  // 20 kB in 20 ms are 8 Mbit/s, 60 kB are 24. Five loss events in 1,640 packets allow 13, eight in 4,960 allow 17.
  EXPECT_EQ(windowBesideLoss(20'000, 5).limit, Limit::receiver);
  EXPECT_GE(windowBesideLoss(20'000, 5).confidenceRatio, kConfident);
  EXPECT_LT(windowBesideLoss(60'000, 8).confidenceRatio, kConfident);
}

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

TEST(SendingVerdict, AShortObservationIsNotConfident) {
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

TEST(SendingVerdict, NoGrowingWindowIsTakenForTheNextLimit) {
  // A congestion window that is not used stands at about twice the flight, on any path.
  Situation situation([](ObservationBuilder& socket) { socket.peerWindow(65'536).congestionWindow(90).inFlight(45); });
  situation.repeat(20, kStep, receiverLimitedStep());
  ASSERT_EQ(situation.verdict().limit, Limit::receiver);
  EXPECT_EQ(situation.verdict().next, std::nullopt);
}

TEST(SendingVerdict, ThePacingLimitOfTheProgramIsTheNextLimit) {
  Situation situation([](ObservationBuilder& socket) {
    socket.peerWindow(65'536).congestionWindow(90).inFlight(45).maxPacingRate(BitsPerSecond(80e6));
  });
  situation.repeat(20, kStep, receiverLimitedStep());
  ASSERT_EQ(situation.verdict().limit, Limit::receiver);
  EXPECT_EQ(situation.verdict().next.value().rate, BitsPerSecond(80e6));
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
  const Verdict verdict = judge(socket, WindowStatistics{}).verdict;
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

TEST(ReceivingVerdict, DataQueuedInEverySampleIsASlowReaderDespiteFreeBufferSpace) {
  // 50 kB each 20 ms is the window.
  Situation situation([](ObservationBuilder& socket) { socket.ownWindow(50'400).queues(36'700, 0); });
  situation.repeat(20, kStep, receivedStep(245'000));
  ASSERT_GT(situation.window().receiving.ratio(Limit::receiver), 0.9);
  EXPECT_VERDICT(situation.verdict(), Limit::application, Cause::slowReader);
  EXPECT_GE(situation.verdict().confidenceRatio, kConfident);
}

TEST(ReceivingVerdict, DataThatWaitsNowAndThenLeavesTheBufferToBlame) {
  Situation situation([](ObservationBuilder& socket) { socket.ownWindow(50'400).queues(20'000, 0); });
  situation.repeat(20, kStep, receivedStep(245'000));
  situation.step(kStep, receivedStep(245'000), [](ObservationBuilder& socket) { socket.queues(0, 0); });
  EXPECT_VERDICT(situation.verdict(), Limit::receiver, Cause::bufferLimit);
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

TEST(ReceivingVerdict, AUsedUpWindowFarBelowTheBufferIsClampedLockedOrNot) {
  for (const bool locked : {false, true}) {
    Situation situation([=](ObservationBuilder& socket) {
      socket.ownWindow(32'000).windowScales(7, 7).locks(false, locked).receiveMemory(0, 400'000);
    });
    situation.repeat(20, kStep, receivedStep(155'000));
    EXPECT_VERDICT(situation.verdict(), Limit::receiver, Cause::windowClamp);
    EXPECT_GE(situation.verdict().confidenceRatio, kConfident);
  }
}

TEST(ReceivingVerdict, AWindowThatWasLargeBeforeItWasClampedIsClampedAllTheSame) {
  Situation situation([](ObservationBuilder& socket) {
    socket.ownWindow(950'000).windowScales(4, 4).locks(false, true).receiveMemory(0, 2'000'000);
  });
  situation.step(kStep, receivedStep(400'000));
  situation.repeat(30, kStep, receivedStep(155'000), [](ObservationBuilder& socket) { socket.ownWindow(24'000); });
  EXPECT_VERDICT(situation.verdict(), Limit::receiver, Cause::windowClamp);
}

TEST(SendingVerdict, AWindowThatWasAtItsCeilingForAMomentIsNotLimitedByItsScale) {
  Situation situation([](ObservationBuilder& socket) { socket.peerWindow(1'000'000).windowScales(4, 4); });
  situation.step(kStep, receiverLimitedStep());
  situation.repeat(30, kStep, receiverLimitedStep(), [](ObservationBuilder& socket) { socket.peerWindow(24'000); });
  EXPECT_VERDICT(situation.verdict(), Limit::receiver, Cause::bufferLimit);
}

TEST(ReceivingVerdict, AUsedUpWindowWithoutALockIsTheBuffersLimit) {
  Situation situation([](ObservationBuilder& socket) { socket.ownWindow(39'552); });
  situation.repeat(20, kStep, receivedStep(190'000));
  EXPECT_VERDICT(situation.verdict(), Limit::receiver, Cause::bufferLimit);
}

TEST(ReceivingVerdict, ABufferAboveWhatTheWindowScaleCanAdvertiseIsTheScale) {
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

TEST(ReceivingVerdict, AWindowThatArrivesOncePerLongRttMayBeTheLimit) {
  // 80 kB each 200 ms, ten times the minimum RTT, is the window.
  Situation situation([](ObservationBuilder& socket) { socket.ownWindow(80'000).set(tcp_info::kRcvRtt, 200'000U); });
  situation.repeat(20, kStep, receivedStep(39'000));
  EXPECT_EQ(situation.verdict().limit, Limit::unknown);
  EXPECT_THAT(situation.verdict().candidates, Contains(Limit::receiver));
}

TEST(ReceivingVerdict, AnRttThatIsTheTimeOfAWholeWindowShowsNothing) {
  // The kernel's figure where an interactive program's 4 kB arrive each second.
  Situation situation([](ObservationBuilder& socket) { socket.ownWindow(64'000).set(tcp_info::kRcvRtt, 16'000'000U); });
  situation.repeat(20, kStep, receivedStep(400));
  EXPECT_THAT(situation.verdict().candidates, Not(Contains(Limit::receiver)));
}

/// A receiver with space in its window, in every `lossy`th of whose samples so many segments arrive out of order. Some
/// 57 are in flight.
Situation arrivals(int lossy, std::uint32_t segments = 50) {
  Situation situation([](ObservationBuilder& socket) { socket.ownWindow(3'000'000).set(tcp_info::kRcvOoopack, 0U); });
  std::uint32_t outOfOrder = 0;
  for (int number = 1; number <= 40; ++number) {
    if (lossy > 0 && number % lossy == 0) outOfOrder += segments;
    situation.step(kStep, receivedStep(390'000),
                   [&](ObservationBuilder& socket) { socket.set(tcp_info::kRcvOoopack, outOfOrder); });
  }
  return situation;
}

TEST(ReceivingVerdict, DataThatKeepsArrivingOutOfOrderShowsThePath) {
  EXPECT_VERDICT(arrivals(4).verdict(), Limit::network, Cause::unknown);
  EXPECT_GE(arrivals(4).verdict().confidenceRatio, kConfident);
  EXPECT_EQ(arrivals(20).verdict().limit, Limit::unknown) << "a loss now and then is no limit";
  EXPECT_EQ(arrivals(0).verdict().limit, Limit::unknown);
}

TEST(ReceivingVerdict, AFewSegmentsInAnotherOrderAreNoLoss) {
  EXPECT_EQ(arrivals(2, 3).verdict().limit, Limit::unknown);
}

/// A receiver that measures an RTT of 30 ms, and finds a mark on a segment in every `marked`th sample.
Situation markedArrivals(int marked, std::uint64_t bytes) {
  Situation situation([](ObservationBuilder& socket) {
    socket.ownWindow(3'000'000).set(tcp_info::kRcvRtt, 30'000U).set(tcp_info::kReceivedCe, 0U);
  });
  for (std::uint32_t number = 1; number <= 40; ++number) {
    situation.step(kStep, receivedStep(bytes), [&](ObservationBuilder& socket) {
      socket.set(tcp_info::kReceivedCe, number / static_cast<std::uint32_t>(marked));
    });
  }
  return situation;
}

TEST(ReceivingVerdict, MarksOnWhatArrivesShowThePath) {
  EXPECT_VERDICT(markedArrivals(4, 390'000).verdict(), Limit::network, Cause::ecn);
  EXPECT_EQ(markedArrivals(30, 390'000).verdict().limit, Limit::unknown) << "one mark is no limit";
  EXPECT_EQ(markedArrivals(10, 12'500).verdict().limit, Limit::unknown) << "so few marks allow five times as much";
}

TEST(ReceivingVerdict, DataThatArrivesInOrderWithPausesPointsToTheApplicationFirst) {
  Situation situation([](ObservationBuilder& socket) { socket.ownWindow(3'000'000).set(tcp_info::kRcvOoopack, 0U); });
  for (int burst = 0; burst < 10; ++burst) {
    situation.step(kStep, receivedStep(200'000)).repeat(3, kStep, Growth{});
  }
  const Verdict verdict = situation.verdict();
  ASSERT_THAT(verdict.candidates, Not(IsEmpty()));
  EXPECT_EQ(name(verdict.candidates.front()), name(Limit::application));
  EXPECT_EQ(name(arrivals(0).verdict().candidates.front()), name(Limit::network));
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
  EXPECT_EQ(diagnosis.sending->verdict.next, situation.verdict().next);
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
