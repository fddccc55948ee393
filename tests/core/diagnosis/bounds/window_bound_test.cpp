#include "core/diagnosis/bounds/window_bound.h"

#include <gtest/gtest.h>

#include "core/diagnosis/evidence/kernel_evidence.h"
#include "tests/support/observation_builder.h"

namespace tcpscope {
namespace {

using std::chrono::milliseconds;
using test::ObservationBuilder;

// One second of a connection with an RTT of 20 ms: 50 RTTs.
WindowStatistics secondOf(const SocketObservation& socket) {
  SocketObservation before = socket;
  before.takenAt = before.takenAt - milliseconds(1000);
  WindowStatistics window;
  window.addStep(before, socket);
  return window;
}

Bound boundOf(Bound (*model)(const ConnectionEvidence&), const ObservationBuilder& builder, Side side = Side::sending) {
  const SocketObservation socket = builder.build();
  const WindowStatistics window = secondOf(socket);
  return model(kernelEvidence(socket, window, side));
}

TEST(ReceiverWindowBound, IsOneWindowPerRtt) {
  const Bound bound = boundOf(receiverWindowBound, ObservationBuilder().peerWindow(65'536));
  EXPECT_TRUE(bound.applies);
  EXPECT_NEAR(bound.rate->value(), 65'536 * 8 / 0.02, 1.0);
}

TEST(ReceiverWindowBound, OfTheReceivingSideIsItsOwnWindowOverTheMinimumRtt) {
  const auto builder = ObservationBuilder().ownWindow(40'000).rtt(milliseconds(90), milliseconds(20));
  EXPECT_NEAR(boundOf(receiverWindowBound, builder, Side::receiving).rate->value(), 40'000 * 8 / 0.02, 1.0);
}

TEST(ReceiverWindowBound, IsNeverBelowWhatWentThrough) {
  // A window that opens and closes: the samples met it small.
  const SocketObservation after = ObservationBuilder().peerWindow(10'000).acked(2'000'000).build();
  SocketObservation before = ObservationBuilder().peerWindow(10'000).acked(0).build();
  before.takenAt = after.takenAt - milliseconds(1000);
  WindowStatistics window;
  window.addStep(before, after);
  EXPECT_NEAR(receiverWindowBound(kernelEvidence(after, window, Side::sending)).rate->value(), 16e6, 1.0);
}

TEST(ReceiverWindowBound, IsNotKnownBeforeLinux54) {
  const Bound bound = boundOf(receiverWindowBound, ObservationBuilder().reportedBytes(224));
  EXPECT_FALSE(bound.rate);
  EXPECT_FALSE(bound.applies);
  EXPECT_EQ(bound.whyNot, WhyNoBound::notReported);
}

TEST(ReceiverWindowBound, OfAClosedWindowIsNoRate) {
  const Bound bound = boundOf(receiverWindowBound, ObservationBuilder().peerWindow(0));
  EXPECT_FALSE(bound.rate);
  EXPECT_FALSE(bound.applies);
  EXPECT_EQ(bound.whyNot, WhyNoBound::windowClosed);
}

TEST(CongestionWindowBound, IsSegmentsTimesTheirSize) {
  const Bound bound = boundOf(congestionWindowBound, ObservationBuilder().congestionWindow(100).mss(1448));
  EXPECT_NEAR(bound.rate->value(), 144'800 * 8 / 0.02, 1.0);
}

TEST(CongestionWindowBound, NeedsARoundTripTime) {
  const auto builder = ObservationBuilder().set(tcp_info::kRtt, 0U);
  EXPECT_EQ(boundOf(congestionWindowBound, builder).whyNot, WhyNoBound::noRttYet);
}

TEST(SendBufferBound, TakesHalfForBookkeepingWhereTheBufferIsEmpty) {
  EXPECT_NEAR(boundOf(sendBufferBound, ObservationBuilder().sendMemory(0, 100'000)).rate->value(), 50'000 * 8 / 0.02,
              1.0);
}

TEST(SendBufferBound, TakesTheMeasuredShareWhereTheBufferIsInUse) {
  const auto builder = ObservationBuilder().sendMemory(80'000, 100'000).queues(0, 56'000);
  EXPECT_NEAR(boundOf(sendBufferBound, builder).rate->value(), 70'000 * 8 / 0.02, 1.0);
}

TEST(SendBufferBound, OfAnOverfullBufferIsWhatItHolds) {
  const auto builder = ObservationBuilder().sendMemory(73'000, 32'768).queues(0, 66'600);
  EXPECT_NEAR(boundOf(sendBufferBound, builder).rate->value(), 66'600 * 8 / 0.02, 1.0);
}

TEST(WindowScaleBound, IsTheCeilingOfTheShift) {
  EXPECT_NEAR(boundOf(windowScaleBound, ObservationBuilder().windowScales(3, 0)).rate->value(), 65'535.0 * 8 * 8 / 0.02,
              1.0);
  EXPECT_NEAR(boundOf(windowScaleBound, ObservationBuilder().windowScales(3, 0), Side::receiving).rate->value(),
              65'535.0 * 8 / 0.02, 1.0);
}

TEST(PacingBound, IsTheProgramsLimit) {
  EXPECT_NEAR(boundOf(pacingBound, ObservationBuilder().maxPacingRate(BitsPerSecond(8e6))).rate->value(), 8e6, 1.0);
}

TEST(PacingBound, SaysWhereThereIsNone) {
  const Bound bound = boundOf(pacingBound, ObservationBuilder());
  EXPECT_TRUE(bound.rate->isUnlimited());
  EXPECT_FALSE(bound.applies);
  EXPECT_EQ(bound.whyNot, WhyNoBound::unlimited);
}

}  // namespace
}  // namespace tcpscope
