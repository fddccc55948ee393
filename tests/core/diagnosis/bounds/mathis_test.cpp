#include "core/diagnosis/bounds/mathis.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/core/diagnosis/sender_situation.h"
#include "tests/core/diagnosis/situation.h"

namespace tcpscope {
namespace {

using std::chrono::milliseconds;
using test::Growth;
using test::kStep;
using test::ObservationBuilder;
using test::Situation;

Growth dataStep(std::uint32_t retransmitted = 0) {
  Growth growth;
  growth.busy = kStep;
  growth.acked = 289'600;
  growth.segmentsOut = 200;
  growth.retransmitted = retransmitted;
  return growth;
}

Situation pathLimited(std::string_view congestionControl = "reno") {
  return Situation([congestionControl](ObservationBuilder& socket) {
    socket.congestionControl(congestionControl).inFlight(100).congestionWindow(100).notSent(500'000);
  });
}

Bound mathisOf(const Situation& situation) {
  const SocketObservation& socket = situation.socket();
  return mathisBound(kernelEvidence(socket, situation.window(), Side::sending),
                     judge(socket, situation.window()).verdict);
}

TEST(MathisRate, IsTheFormula) {
  // 1460 bytes, 100 ms, one event in 10,000 packets: 122 segments per RTT.
  EXPECT_NEAR(mathisRate(1460, 0.1, 1e-4).value(), 1460 * 8 / 0.1 * 122.47, 10.0);
}

TEST(MathisRate, OfALossyRenoPathIsNearTheMeasuredOne) {
  // Reno at 0.54 % random loss over 31 ms, Linux 6.18: 1.30 * MSS / RTT / sqrt(p), so 6.6 Mbit/s.
  EXPECT_NEAR(mathisRate(1448, 0.031, 0.0054).value() / 6.6e6, 1.0, 0.1);
}

TEST(MathisBound, CountsEventsNotLostPackets) {
  Situation single = pathLimited();
  Situation bursts = pathLimited();
  for (int round = 0; round < 10; ++round) {
    single.repeat(3, kStep, dataStep()).step(kStep, dataStep(1));
    bursts.repeat(3, kStep, dataStep()).step(kStep, dataStep(20));
  }
  ASSERT_TRUE(mathisOf(single).applies);
  EXPECT_EQ(mathisOf(single).rate, mathisOf(bursts).rate);
  // A quarter of the steps of 200 packets saw an event.
  const double ratio = -std::log(0.75) / 200;
  EXPECT_NEAR(mathisOf(single).rate->value(), mathisRate(1448, 0.02, ratio).value(), 1e4);
}

TEST(MathisBound, WithoutLossIsAtLeastWhatSoManyPacketsProve) {
  Situation situation = pathLimited();
  situation.repeat(40, kStep, dataStep());
  const Bound bound = mathisOf(situation);
  EXPECT_FALSE(bound.applies);
  EXPECT_EQ(bound.whyNot, WhyNoBound::noLossSeen);
  EXPECT_NEAR(bound.rate->value(), mathisRate(1448, 0.02, 3.0 / 8000).value(), 1e3);
}

TEST(MathisBound, SaysWhyThereIsNone) {
  Situation bbr = pathLimited("bbr");
  bbr.repeat(40, kStep, dataStep(1));
  EXPECT_EQ(mathisOf(bbr).whyNot, WhyNoBound::notLossBased);

  Situation unknownControl = pathLimited("dctcp");
  unknownControl.repeat(40, kStep, dataStep(1));
  EXPECT_EQ(mathisOf(unknownControl).whyNot, WhyNoBound::notLossBased);

  Situation few = pathLimited();
  few.repeat(40, kStep, dataStep()).step(kStep, dataStep(2));
  EXPECT_EQ(mathisOf(few).whyNot, WhyNoBound::tooFewLossEvents);

  Situation coarse = pathLimited();
  coarse.repeat(10, kStep, dataStep(3));
  EXPECT_EQ(mathisOf(coarse).whyNot, WhyNoBound::samplesTooFarApart);

  Situation timeouts = pathLimited();
  Growth withTimeout = dataStep(1);
  withTimeout.timeouts = 1;
  timeouts.repeat(20, kStep, withTimeout);
  EXPECT_EQ(mathisOf(timeouts).whyNot, WhyNoBound::timeouts);

  Situation receiver = pathLimited();
  Growth receiverLimited = dataStep(1);
  receiverLimited.receiverLimited = kStep;
  receiver.repeat(20, kStep, receiverLimited);
  EXPECT_EQ(mathisOf(receiver).whyNot, WhyNoBound::notNetworkLimited);

  Situation much = pathLimited();
  Growth lossy = dataStep(1);
  lossy.segmentsOut = 10;
  Growth clean = lossy;
  clean.retransmitted = 0;
  for (int round = 0; round < 20; ++round) much.step(kStep, clean).step(kStep, lossy);
  EXPECT_EQ(mathisOf(much).whyNot, WhyNoBound::tooMuchLoss);
}

TEST(MathisBound, IsNeverInfinite) {
  Situation nothingSent = pathLimited();
  nothingSent.repeat(5, kStep, Growth{});
  EXPECT_FALSE(mathisOf(nothingSent).rate);
}

}  // namespace
}  // namespace tcpscope
