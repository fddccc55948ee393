#include "core/diagnosis/evidence/window_statistics.h"

#include <gtest/gtest.h>

#include "tests/core/diagnosis/sender_situation.h"
#include "tests/core/diagnosis/situation.h"

namespace tcpscope {
namespace {

using std::chrono::milliseconds;
using test::Growth;
using test::kStep;
using test::ObservationBuilder;
using test::Situation;

Growth measuredStep(std::uint32_t retransmitted = 0, std::uint32_t duplicates = 0) {
  Growth growth;
  growth.busy = kStep;
  growth.acked = 144'800;
  growth.segmentsOut = 100;
  growth.retransmitted = retransmitted;
  growth.duplicates = duplicates;
  return growth;
}

TEST(SpanFigure, KnowsNothingBeforeTheFirstValue) {
  const SpanFigure figure;
  EXPECT_FALSE(figure.smallest());
  EXPECT_FALSE(figure.mean());
}

TEST(SpanFigure, HoldsSmallestLargestAndMean) {
  SpanFigure figure;
  for (const double value : {4.0, -2.0, 7.0}) figure.add(value);
  EXPECT_EQ(figure.smallest(), -2.0);
  EXPECT_EQ(figure.largest(), 7.0);
  EXPECT_EQ(figure.mean(), 3.0);
}

TEST(SpanFigure, AddsUpWithAnEmptyOneOnEitherSide) {
  SpanFigure figure;
  figure.add(5.0);
  SpanFigure empty;
  figure += empty;
  EXPECT_EQ(figure.mean(), 5.0);
  empty += figure;
  EXPECT_EQ(empty.smallest(), 5.0);
}

TEST(WindowStatistics, SumOfTwoSpansIsTheWholeSpan) {
  Situation whole([](ObservationBuilder&) {});
  whole.repeat(3, kStep, measuredStep());
  WindowStatistics first = whole.window();
  const Moment between = first.to;
  const SocketObservation last = whole.socket();
  whole.repeat(2, kStep, measuredStep(2));

  SocketObservation middle = last;
  WindowStatistics second;
  second.addStep(middle, whole.socket());
  first += second;
  EXPECT_EQ(first.to, whole.window().to);
  EXPECT_EQ(first.ackedBytes, whole.window().ackedBytes);
  EXPECT_EQ(first.retransmittedSegments, 4U);
  EXPECT_EQ(first.sending.observed(), whole.window().sending.observed());
  EXPECT_EQ(second.from, between);
}

TEST(WindowStatistics, TakesNoStepThatGoesBackInTime) {
  const auto early = ObservationBuilder().at(milliseconds(0)).acked(10).build();
  const auto late = ObservationBuilder().at(milliseconds(100)).acked(20).build();
  WindowStatistics window;
  window.addStep(late, early);
  EXPECT_EQ(window.samples, 0U);
  EXPECT_FALSE(window.ackedBytes);
}

TEST(LossEvents, RetransmissionsOfOneStepAreOneEvent) {
  Situation situation([](ObservationBuilder&) {});
  situation.repeat(10, kStep, measuredStep()).step(kStep, measuredStep(25));
  EXPECT_EQ(situation.window().lossEvents, 1U);
  EXPECT_EQ(situation.window().lossOpportunities, 11U);
}

TEST(LossEvents, StepsWithinOneRttAreOneEvent) {
  Situation situation([](ObservationBuilder& socket) { socket.rtt(milliseconds(250), milliseconds(250)); });
  situation.step(kStep, measuredStep(3))
      .step(kStep, measuredStep(4))
      .step(kStep, measuredStep())
      .step(kStep, measuredStep(1));
  EXPECT_EQ(situation.window().lossEvents, 2U);
}

TEST(LossEvents, WhatThePeerReportsAsDuplicateIsNone) {
  Situation situation([](ObservationBuilder&) {});
  situation.step(kStep, measuredStep(2, 2));
  EXPECT_EQ(situation.window().lossEvents, 0U);
}

TEST(EventSpacing, KnowsHowEvenlyEventsLieApartAlsoAcrossSpans) {
  EventSpacing first;
  EventSpacing second;
  EventSpacing whole;
  for (const std::uint64_t at : {100U, 200U, 300U}) first.addEventAt(at);
  for (const std::uint64_t at : {600U, 700U}) second.addEventAt(at);
  for (const std::uint64_t at : {100U, 200U, 300U, 600U, 700U}) whole.addEventAt(at);
  first += EventSpacing();
  first += second;
  EXPECT_EQ(first.distances().count(), 4U);
  EXPECT_EQ(whole.distances().count(), 4U);
  // 100, 100, 300, 100: mean 150, standard deviation of the sample 100.
  EXPECT_NEAR(first.distances().variation().value(), 100.0 / 150.0, 1e-9);
  EXPECT_NEAR(whole.distances().variation().value(), 100.0 / 150.0, 1e-9);
}

TEST(EventSpacing, IsUnknownBeforeTheThirdEvent) {
  EventSpacing spacing;
  spacing.addEventAt(100);
  spacing.addEventAt(200);
  EXPECT_FALSE(spacing.distances().variation());
}

TEST(LossEvents, LieAsManySegmentsApartAsWereSentBetweenThem) {
  Situation situation([](ObservationBuilder&) {});
  for (int round = 0; round < 5; ++round) situation.repeat(3, kStep, measuredStep()).step(kStep, measuredStep(1));
  ASSERT_TRUE(situation.window().losses);
  EXPECT_EQ(situation.window().losses->segmentsBetween.distances().count(), 4U);
  EXPECT_NEAR(situation.window().losses->segmentsBetween.distances().variation().value(), 0.0, 1e-9);
}

TEST(LossEvents, AreEstimatedFromTheStepsWithoutOne) {
  Situation situation([](ObservationBuilder&) {});
  for (int round = 0; round < 20; ++round) situation.step(kStep, measuredStep()).step(kStep, measuredStep(1));
  // Half of the steps saw an event: by Poisson a step has ln 2 of them on average.
  EXPECT_NEAR(situation.window().estimatedLossEvents().value(), 40 * 0.6931, 0.01);
}

TEST(LossEvents, CannotBeCountedWhereEveryStepSawOne) {
  Situation situation([](ObservationBuilder&) {});
  situation.repeat(10, kStep, measuredStep(3));
  EXPECT_FALSE(situation.window().estimatedLossEvents());
}

TEST(LossEvents, AreNoneWithoutLoss) {
  Situation situation([](ObservationBuilder&) {});
  situation.repeat(10, kStep, measuredStep());
  EXPECT_EQ(situation.window().estimatedLossEvents(), 0.0);
}

/// Everything of two spans that anything is concluded from.
void expectSameWindow(const WindowStatistics& a, const WindowStatistics& b) {
  EXPECT_EQ(a.from, b.from);
  EXPECT_EQ(a.to, b.to);
  EXPECT_EQ(a.samples, b.samples);
  EXPECT_EQ(a.sending, b.sending);
  EXPECT_EQ(a.receiving, b.receiving);
  EXPECT_EQ(a.ackedBytes, b.ackedBytes);
  EXPECT_EQ(a.lossOpportunities, b.lossOpportunities);
  EXPECT_EQ(a.longestStep, b.longestStep);
  EXPECT_EQ(a.rttUs.mean(), b.rttUs.mean());
  EXPECT_EQ(a.sendBufferFillRatio.largest(), b.sendBufferFillRatio.largest());
  EXPECT_EQ(a.receiveQueueBytes.smallest(), b.receiveQueueBytes.smallest());
  EXPECT_EQ(a.samplesWithPeerWindowClosed, b.samplesWithPeerWindowClosed);
  ASSERT_EQ(a.peerWindowShrinks.has_value(), b.peerWindowShrinks.has_value());
  if (a.peerWindowShrinks) {
    EXPECT_EQ(a.peerWindowShrinks->count(), b.peerWindowShrinks->count());
  }
}

TEST(WindowStatistics, SilenceIsAStepInWhichNothingChanged) {
  const auto open = [] { return ObservationBuilder().acked(5'000).received(7'000).sendMemory(10, 100); };
  const std::vector<ObservationBuilder> sockets = {
      open(),
      open().inFlight(10).notSent(5'000),
      open().applicationLimited(true),
      open().peerWindow(0).ownWindow(0),
      open().ownWindow(1'000).queues(5'000, 0),
      open().caState(CaState::loss),
      open().caState(CaState::recovery).chronographs(milliseconds(700), milliseconds(300)),
      open().reportedBytes(232),
      open().reportedBytes(104),
      open().state(TcpState::timeWait).reportedBytes(0),
  };
  for (std::size_t index = 0; index < sockets.size(); ++index) {
    SCOPED_TRACE(index);
    const SocketObservation before = sockets[index].build();
    SocketObservation after = before;
    after.takenAt = before.takenAt + kStep;
    WindowStatistics byStep;
    byStep.addStep(before, after);
    WindowStatistics bySilence;
    bySilence.addSilence(before, before.takenAt, after.takenAt);
    expectSameWindow(byStep, bySilence);
  }
}

}  // namespace
}  // namespace tcpscope
