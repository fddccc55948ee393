// What a session reports about the paths of its connections, and when.
#include <gmock/gmock.h>

#include "core/session/analysis_session.h"
#include "tests/support/observation_builder.h"

namespace tcpscope {
namespace {

using test::ObservationBuilder;
using namespace std::chrono_literals;

SessionBudget watchingPaths() {
  SessionBudget budget;
  budget.watchesPaths = true;
  return budget;
}

class PathWatchTest : public ::testing::Test {
protected:
  static Moment moment(Nanoseconds since) { return ObservationBuilder().at(since).build().takenAt; }
  static ObservationBuilder at(Nanoseconds time) { return ObservationBuilder().at(time); }
  void poll(Nanoseconds time, const ObservationBuilder& socket) {
    ObservationBatch batch;
    batch.changed.push_back(socket.build());
    batch.dumpEndedAt = moment(time);
    m_session.accept(batch);
    m_session.tick(moment(time));
  }
  void close(Nanoseconds time, const ObservationBuilder& last) {
    ObservationBatch batch;
    batch.closed.push_back({last.build().id, moment(time), last.build()});
    m_session.accept(batch);
  }
  std::vector<PathSighting> take(Nanoseconds time, PathPoll when = PathPoll::ifDue) {
    return m_session.takePathSightings(when, moment(time));
  }

  AnalysisSession m_session{watchingPaths()};
};

TEST_F(PathWatchTest, ReportsAConnectionOnceForEachChange) {
  poll(0s, at(0s));
  EXPECT_EQ(take(0s).size(), 1U);
  EXPECT_TRUE(take(10s).empty()) << "nothing changed";
  poll(11s, at(11s).acked(1'000));
  EXPECT_EQ(take(13s).size(), 1U);
}

TEST_F(PathWatchTest, PollsAtMostTwicePerWindowExceptAtTheEnd) {
  poll(0s, at(0s));
  EXPECT_EQ(take(0s).size(), 1U);
  poll(1s, at(1s).acked(1'000));
  EXPECT_TRUE(take(1s).empty());
  EXPECT_EQ(take(1s, PathPoll::always).size(), 1U);
}

TEST_F(PathWatchTest, ReportsHowMuchWasSentOverTheObservedSpan) {
  poll(0s, at(0s).acked(0));
  poll(2s, at(2s).acked(5'000'000).chronographs(2s).dataSegmentsOut(3'500).retransmitted(2));
  const auto seen = take(2s);
  ASSERT_EQ(seen.size(), 1U);
  ASSERT_TRUE(seen[0].sent);
  EXPECT_EQ(seen[0].sent->amount, Bytes(5'000'000));
  EXPECT_EQ(seen[0].sent->to - seen[0].sent->from, 2s);
  EXPECT_EQ(seen[0].segments, 3'500U);
  EXPECT_EQ(seen[0].lossEvents, 1U);
}

TEST_F(PathWatchTest, ReportsEachLossEventOnce) {
  poll(0s, at(0s));
  poll(1s, at(1s).acked(1'000'000).dataSegmentsOut(1'000).retransmitted(2));
  EXPECT_EQ(take(1s).back().lossEvents, 1U);
  poll(4s, at(4s).acked(2'000'000).dataSegmentsOut(2'000).retransmitted(2));
  EXPECT_EQ(take(4s).back().lossEvents, 0U);
}

TEST_F(PathWatchTest, TakesTheFinalSampleOfAConnectionThatIsForgottenAtOnce) {
  SessionControl control;
  control.keepClosed = false;
  m_session.setControl(control);
  poll(0s, at(0s));
  EXPECT_EQ(take(0s).size(), 1U);
  close(1s, at(1s).dataSegmentsOut(700));
  const auto seen = take(3s);
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_EQ(seen[0].segments, 700U);
}

TEST_F(PathWatchTest, ReportsAConnectionThatClosedBeforeAnyPoll) {
  close(1s, at(1s).dataSegmentsOut(10).rtt(30ms, 30ms));
  const auto seen = take(1s);
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_EQ(seen[0].rtt, 30ms);
  EXPECT_FALSE(seen[0].limit);
}

TEST_F(PathWatchTest, CostsNothingWithoutAPathHistory) {
  AnalysisSession session;
  ObservationBatch batch;
  batch.changed.push_back(at(0s).build());
  session.accept(batch);
  session.tick(moment(0s));
  EXPECT_TRUE(session.takePathSightings(PathPoll::always, moment(9s)).empty());
}

}  // namespace
}  // namespace tcpscope
