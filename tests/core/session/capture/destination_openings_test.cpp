// How long connections took to open, gathered by destination.
#include "core/session/capture/destination_openings.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

Endpoint serverAt(std::uint16_t port) {
  return {IpAddress::v4({192, 0, 2, 1}), port};
}

ConnectionAnalysis opened(std::uint16_t port, int connectMilliseconds, int firstByteMilliseconds) {
  ConnectionAnalysis analysis;
  analysis.flow.responder = serverAt(port);
  analysis.flow.connectTime = std::chrono::milliseconds(connectMilliseconds);
  analysis.flow.firstByteTime = std::chrono::milliseconds(firstByteMilliseconds);
  return analysis;
}

ConnectionAnalysis failed(std::uint16_t port, Cause cause) {
  ConnectionAnalysis analysis;
  analysis.flow.responder = serverAt(port);
  analysis.directions[0].diagnosis.verdict.limit = Limit::opening;
  analysis.directions[0].diagnosis.verdict.cause = cause;
  return analysis;
}

TEST(OpeningTally, SpreadsTheTimesOfEachDestination) {
  OpeningTally tally;
  for (const int connect : {10, 30, 20}) tally.add(openingOf(opened(443, connect, 3 * connect)));
  const auto openings = tally.worstFirst();
  ASSERT_EQ(openings.size(), 1U);
  EXPECT_EQ(openings[0].remote, serverAt(443));
  EXPECT_EQ(openings[0].opened, 3U);
  ASSERT_TRUE(openings[0].connect);
  EXPECT_EQ(openings[0].connect->median, std::chrono::milliseconds(20));
  EXPECT_EQ(openings[0].connect->max, std::chrono::milliseconds(30));
  ASSERT_TRUE(openings[0].firstByte);
  EXPECT_EQ(openings[0].firstByte->median, std::chrono::milliseconds(60));
}

TEST(OpeningTally, CountsRetransmittedSyns) {
  OpeningTally tally;
  ConnectionAnalysis late = opened(443, 1020, 1040);
  late.flow.directions[0].sent.syns = Count(2);
  tally.add(openingOf(late));
  tally.add(openingOf(opened(443, 20, 40)));
  EXPECT_EQ(tally.worstFirst().at(0).opened, 2U);
  EXPECT_EQ(tally.worstFirst().at(0).repeated, 1U);
}

TEST(OpeningTally, CountsAttemptsThatFailedForAReasonThatIsNotKnown) {
  OpeningTally tally;
  ConnectionOpening opening;
  opening.remote = serverAt(443);
  opening.hasFailed = true;
  tally.add(opening);
  tally.add(openingOf(opened(80, 10, 20)));
  EXPECT_EQ(tally.worstFirst().at(0).remote, serverAt(443)) << "failures first";
  EXPECT_EQ(tally.worstFirst().at(0).failed, 1U);
  EXPECT_EQ(tally.worstFirst().at(0).opened, 0U);
}

TEST(OpeningTally, BeginsWithFailuresAndTheSlowest) {
  OpeningTally tally;
  tally.add(openingOf(opened(1, 10, 20)));
  tally.add(openingOf(opened(2, 50, 60)));
  tally.add(openingOf(failed(3, Cause::noResponse)));
  tally.add(openingOf(failed(4, Cause::refused)));
  tally.add(openingOf(failed(4, Cause::refused)));
  std::vector<std::uint16_t> ports;
  for (const DestinationOpenings& one : tally.worstFirst()) ports.push_back(one.remote.port);
  EXPECT_EQ(ports, (std::vector<std::uint16_t>{4, 3, 2, 1}));
  EXPECT_EQ(tally.worstFirst()[0].refused, 2U);
  EXPECT_EQ(tally.worstFirst()[1].unanswered, 1U);
  EXPECT_FALSE(tally.worstFirst()[0].connect);
}

TEST(OpeningTally, LeavesOutWhatWasOpenBeforeAndWhatMayYetOpen) {
  OpeningTally tally;
  tally.add(openingOf(ConnectionAnalysis()));
  tally.add(openingOf(failed(443, Cause::unknown)));
  EXPECT_TRUE(tally.worstFirst().empty());
  EXPECT_EQ(tally.leftOut(), 0U);
}

TEST(OpeningTally, CountsWhatItHasNoSpaceFor) {
  OpeningTally tally;
  for (std::size_t port = 1; port <= OpeningTally::kMostDestinations + 2; ++port) {
    tally.add(openingOf(opened(static_cast<std::uint16_t>(port), 10, 20)));
  }
  tally.add(openingOf(opened(1, 10, 20)));
  EXPECT_EQ(tally.worstFirst().size(), OpeningTally::kMostDestinations);
  EXPECT_EQ(tally.leftOut(), 2U);
}

}  // namespace
}  // namespace tcpscope
