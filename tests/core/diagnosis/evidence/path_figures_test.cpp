// What the losses of a span let a connection reach, compared with what it reached.
#include "core/diagnosis/evidence/path_figures.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

/// Ten seconds over an RTT of 20 ms with segments of 1448 bytes, at this rate. Two losses in a thousand segments allow
/// 27 segments per RTT, which is 15.5 Mbit/s.
ConnectionEvidence lossyTransfer(double megabitsPerSecond, std::uint64_t lossEvents = 200) {
  ConnectionEvidence evidence;
  evidence.to = evidence.from + std::chrono::seconds(10);
  evidence.rttUs.add(20'000.0);
  evidence.mss = Bytes(1448);
  evidence.bytes = static_cast<std::uint64_t>(megabitsPerSecond * 1e6 / 8 * 10);
  evidence.dataSegments = lossEvents * 500;
  evidence.lossEvents = lossEvents;
  evidence.timeouts = 0;
  return evidence;
}

TEST(PathFigures, ComputeWhatLossEventsAllow) {
  const auto allowed = rateThatLossEventsAllow(lossyTransfer(1.0));
  ASSERT_TRUE(allowed);
  EXPECT_NEAR(allowed->value(), 15.5e6, 0.1e6);
  EXPECT_FALSE(rateThatLossEventsAllow(lossyTransfer(1.0, 2)));
}

/// RTTs of 20 and 380 ms, of which acknowledgments wait so long.
ConnectionEvidence withReturnQueue(Microseconds wait) {
  ConnectionEvidence evidence;
  evidence.rttUs.add(20'000.0);
  evidence.rttUs.add(380'000.0);
  evidence.returnQueue = wait;
  return evidence;
}

TEST(PathFigures, SeparateTheQueueOfTheDataFromThatOfItsAcknowledgments) {
  EXPECT_EQ(rttOfDataPath(withReturnQueue(Microseconds(60'000)))->queueUs(), 120'000.0);
  EXPECT_FALSE(queueIsOnReturnPath(withReturnQueue(Microseconds(60'000))));
  EXPECT_EQ(rttOfDataPath(withReturnQueue(Microseconds(100'000)))->queueUs(), 80'000.0);
  EXPECT_TRUE(queueIsOnReturnPath(withReturnQueue(Microseconds(100'000))));
}

TEST(PathFigures, TakeASmallRestBesideTheQueueOfAcknowledgmentsForNoQueue) {
  EXPECT_EQ(rttOfDataPath(withReturnQueue(Microseconds(140'000)))->queueUs(), 0.0);
  EXPECT_EQ(rttOfDataPath(withReturnQueue(Microseconds(200'000)))->queueUs(), 0.0) << "more than the RTT shows";
}

TEST(PathFigures, TakeASenderThatIsFarFasterForOneThatIgnoresLoss) {
  EXPECT_TRUE(outrunsItsLosses(lossyTransfer(40.0)));
  EXPECT_FALSE(outrunsItsLosses(lossyTransfer(25.0)));
  // Three losses say little about a mean.
  EXPECT_FALSE(outrunsItsLosses(lossyTransfer(40.0, 3)));
}

TEST(PathFigures, TakeASenderThatIsFarSlowerForOneThatSomethingElseLimits) {
  EXPECT_TRUE(lossesAllowMore(lossyTransfer(4.0)));
  EXPECT_FALSE(lossesAllowMore(lossyTransfer(8.0)));
  ConnectionEvidence withTimeouts = lossyTransfer(4.0);
  withTimeouts.timeouts = 5;
  EXPECT_FALSE(lossesAllowMore(withTimeouts));
}

TEST(PathFigures, CallRetransmissionsSpuriousWhereTheyMatter) {
  ConnectionEvidence evidence;
  evidence.dataSegments = 1'000'000;
  evidence.retransmittedSegments = 5;
  evidence.duplicateSegments = 5;
  EXPECT_FALSE(retransmissionsWereSpurious(evidence)) << "five of a million, as on a busy host, take no time";
  evidence.dataSegments = 5'000;
  EXPECT_TRUE(retransmissionsWereSpurious(evidence));
  evidence.dataSegments.reset();
  EXPECT_TRUE(retransmissionsWereSpurious(evidence)) << "of an unknown number";
}

}  // namespace
}  // namespace tcpscope
