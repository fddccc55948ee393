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

TEST(SendingVerdict, ALockedSendBufferIsNamedThoughNoSampleMetItFull) {
  // Polled every 10 ms over 40 ms: the acknowledgments of a window come together, so that the buffer is full for a
  // moment only, and each poll may fall into the same quiet part of the RTT.
  Situation situation([](ObservationBuilder& socket) {
    socket.inFlight(42).congestionWindow(185).applicationLimited(true).notSent(0).sendMemory(96'862, 131'072);
    socket.locks(true, false);
  });
  situation.repeat(40, kStep, busyStep());
  EXPECT_VERDICT(situation.verdict(), Limit::sendBuffer, Cause::bufferLocked);
  EXPECT_LT(situation.verdict().confidenceRatio, kConfident);
}

TEST(SendingVerdict, ASendBufferThatNeverFillsCompletelyIsASlowWriter) {
  // A program that writes 10 kB each 15 ms over 62 ms; the kernel had no reason yet to give it more than 87 kB.
  Situation situation([](ObservationBuilder& socket) {
    socket.inFlight(30).congestionWindow(73).applicationLimited(true).notSent(0).sendMemory(68'000, 87'040);
  });
  situation.repeat(40, kStep, busyStep());
  ASSERT_GT(situation.window().sending.ratio(Limit::sendBuffer), 0.9);
  EXPECT_VERDICT(situation.verdict(), Limit::application, Cause::slowWriter);
  EXPECT_LT(situation.verdict().confidenceRatio, kConfident)
      << "the samples may have missed the moments when it was full";
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

TEST(SendingVerdict, AWindowThatWasAtItsCeilingForAMomentIsNotLimitedByItsScale) {
  Situation situation([](ObservationBuilder& socket) { socket.peerWindow(1'000'000).windowScales(4, 4); });
  situation.step(kStep, receiverLimitedStep());
  situation.repeat(30, kStep, receiverLimitedStep(), [](ObservationBuilder& socket) { socket.peerWindow(24'000); });
  EXPECT_VERDICT(situation.verdict(), Limit::receiver, Cause::bufferLimit);
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
  Growth mostlyReceived;
  mostlyReceived.received = 100'000;
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
