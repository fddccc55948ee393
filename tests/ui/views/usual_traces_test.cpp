#include "ui/views/scope/usual_traces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tcpscope {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

ConnectionDetail detailWith(Side bulk, Limit limit, Cause cause = Cause::unknown, double confidence = 0.9) {
  ConnectionDetail detail;
  detail.diagnosis.bulk = bulk;
  SideDiagnosis side;
  side.verdict.limit = limit;
  side.verdict.cause = cause;
  side.verdict.confidenceRatio = confidence;
  (bulk == Side::sending ? detail.diagnosis.sending : detail.diagnosis.receiving) = side;
  return detail;
}

TEST(UsualTraces, OfADownloadAreWhatArrivesAndTheWindowForIt) {
  const auto traces = usualTraces(detailWith(Side::receiving, Limit::receiver)).metrics;
  EXPECT_THAT(traces,
              ElementsAre(Metric::receiveGoodput, Metric::rcvWnd, Metric::receiveQueue, Metric::memoryReceiveBuffer));
}

TEST(UsualTraces, OfBufferbloatAreTheRttAndItsMinimum) {
  const auto traces = usualTraces(detailWith(Side::sending, Limit::network, Cause::queue)).metrics;
  EXPECT_THAT(traces, Contains(Metric::rtt));
  EXPECT_THAT(traces, Contains(Metric::minRtt));
}

TEST(UsualTraces, OfLossAreRetransmissionsAndTheCongestionWindow) {
  for (const Limit limit : {Limit::network, Limit::recovery, Limit::timeout}) {
    const auto traces = usualTraces(detailWith(Side::sending, limit, Cause::loss)).metrics;
    EXPECT_THAT(traces, Contains(Metric::retransmissionsPerSecond));
    EXPECT_THAT(traces, Contains(Metric::congestionWindowBytes));
  }
}

TEST(UsualTraces, OfALimitedWindowAreTheWindowAndWhatIsInFlight) {
  const auto traces = usualTraces(detailWith(Side::sending, Limit::receiver)).metrics;
  EXPECT_THAT(traces, Contains(Metric::sndWnd));
  EXPECT_THAT(traces, Contains(Metric::inFlightBytes));
}

TEST(UsualTraces, OfAVerdictThatIsNotSureAreThoseOfItsDirection) {
  EXPECT_EQ(usualTraces(detailWith(Side::sending, Limit::network, Cause::queue, 0.5)).metrics, usualTraces());
  EXPECT_THAT(usualTraces(detailWith(Side::receiving, Limit::unknown, Cause::unknown, 0.0)).metrics,
              Contains(Metric::receiveGoodput));
}

}  // namespace
}  // namespace tcpscope
