// Verdicts on data that arrives. Figures are rounded from Linux 6.18.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/diagnosis/evidence/confidence.h"
#include "core/diagnosis/verdict.h"
#include "tests/core/diagnosis/sender_situation.h"

namespace tcpscope {
namespace {

using namespace test;
using testing::Contains;
using testing::IsEmpty;
using testing::Not;

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

/// A reader that uses up the window, with 20 kB of it unread at the end of so many of 20 steps, and nothing at the
/// others.
Situation readerThatIsBehind(int samples) {
  Situation situation([](ObservationBuilder& socket) { socket.ownWindow(50'400); });
  for (int number = 0; number < 20; ++number) {
    const std::uint32_t unread = number < samples ? 20'000 : 0;
    situation.step(kStep, receivedStep(245'000), [&](ObservationBuilder& socket) { socket.queues(unread, 0); });
  }
  return situation;
}

TEST(ReceivingVerdict, DataThatWaitsNowAndThenLeavesTheBufferToBlame) {
  EXPECT_VERDICT(readerThatIsBehind(6).verdict(), Limit::receiver, Cause::bufferLimit);
}

TEST(ReceivingVerdict, DataThatWaitsMostOfTheTimeIsLikelyASlowReader) {
  const Verdict verdict = readerThatIsBehind(15).verdict();
  EXPECT_VERDICT(verdict, Limit::application, Cause::slowReader);
  EXPECT_LT(verdict.confidenceRatio, kConfident);
}

TEST(ReceivingVerdict, AReaderThatGetsNoProcessorIsSurelyTheSlowOne) {
  Situation situation = readerThatIsBehind(15);
  const Moment now = situation.socket().takenAt;
  const Nanoseconds second = std::chrono::seconds(1);
  situation.step(kStep, receivedStep(245'000), [&](ObservationBuilder& socket) {
    socket.programWaits({now - second, now, second * 9 / 10});
  });
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

TEST(ReceivingVerdict, AWindowAtHalfOfWhatNoScalingAllowsIsClampedWhereTheBufferIsLarge) {
  Situation situation([](ObservationBuilder& socket) {
    socket.ownWindow(32'758).windowScales(0, 0).locks(false, true).receiveMemory(0, 400'000);
  });
  situation.repeat(20, kStep, receivedStep(155'000));
  EXPECT_VERDICT(situation.verdict(), Limit::receiver, Cause::windowClamp);
}

TEST(ReceivingVerdict, AWindowThatWasLargeBeforeItWasClampedIsClampedAllTheSame) {
  Situation situation([](ObservationBuilder& socket) {
    socket.ownWindow(950'000).windowScales(4, 4).locks(false, true).receiveMemory(0, 2'000'000);
  });
  situation.step(kStep, receivedStep(400'000));
  situation.repeat(30, kStep, receivedStep(155'000), [](ObservationBuilder& socket) { socket.ownWindow(24'000); });
  EXPECT_VERDICT(situation.verdict(), Limit::receiver, Cause::windowClamp);
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

}  // namespace
}  // namespace tcpscope
