#include "collectors/sock_diag/segment_account.h"

#include <gtest/gtest.h>

#include "tests/support/observation_builder.h"

namespace tcpscope {
namespace {

constexpr SegmentCounts kBegin{1000, 2000};

SocketObservation socketOf(std::uint64_t cookie, std::uint32_t sent, std::uint32_t received) {
  return test::ObservationBuilder()
      .cookie(cookie)
      .set(tcp_info::kSegsOut, sent)
      .set(tcp_info::kSegsIn, received)
      .build();
}

/// Two sockets that were seen with 10 segments each way, when the namespace had counted kBegin.
class SegmentAccountTest : public testing::Test {
protected:
  SegmentAccountTest() {
    poll(kBegin, {socketOf(1, 10, 10), socketOf(2, 10, 10)});
    m_account.endPoll(kBegin);
  }
  /// Those were asked for and had changed.
  void poll(std::optional<SegmentCounts> before, const std::vector<SocketObservation>& changed) {
    m_account.beginPoll(before);
    for (const SocketObservation& socket : changed) m_account.take(socket);
  }

  SegmentAccount m_account;
};

TEST_F(SegmentAccountTest, IsWholeWhereOneSocketSentAndReceivedAll) {
  poll(SegmentCounts{1003, 2002}, {socketOf(1, 13, 12)});
  EXPECT_TRUE(m_account.isWhole(SegmentCounts{1003, 2002}));
}

TEST_F(SegmentAccountTest, IsNotWholeWhereAnotherSent) {
  poll(SegmentCounts{1004, 2002}, {socketOf(1, 13, 12)});
  EXPECT_FALSE(m_account.isWhole(SegmentCounts{1004, 2002}));
}

TEST_F(SegmentAccountTest, IsNotWholeWhereAnotherReceived) {
  poll(SegmentCounts{1003, 2003}, {socketOf(1, 13, 12)});
  EXPECT_FALSE(m_account.isWhole(SegmentCounts{1003, 2003}));
}

TEST_F(SegmentAccountTest, AllowsForSegmentsThatArrivedMerged) {
  poll(SegmentCounts{1003, 2001}, {socketOf(1, 13, 42)});
  EXPECT_TRUE(m_account.isWhole(SegmentCounts{1003, 2001}));
}

TEST_F(SegmentAccountTest, IsNotWholeWhereSomethingMovedWhileTheSocketsWereAsked) {
  // The second segment of the first socket stands for one that another socket had sent before.
  poll(SegmentCounts{1002, 2000}, {socketOf(1, 12, 10)});
  EXPECT_FALSE(m_account.isWhole(SegmentCounts{1003, 2000}));
}

TEST_F(SegmentAccountTest, IsNotWholeWithoutCounters) {
  poll(std::nullopt, {});
  EXPECT_FALSE(m_account.isWhole(std::nullopt));
  m_account.endPoll(std::nullopt);
  poll(kBegin, {});
  EXPECT_FALSE(m_account.isWhole(kBegin)) << "the last poll left nothing to compare with";
}

TEST_F(SegmentAccountTest, IsNotWholeAfterAPollDuringWhichSegmentsMoved) {
  poll(kBegin, {});
  m_account.endPoll(SegmentCounts{1001, 2000});
  poll(SegmentCounts{1001, 2000}, {});
  EXPECT_FALSE(m_account.isWhole(SegmentCounts{1001, 2000})) << "a socket may have been asked for before it sent";
}

TEST_F(SegmentAccountTest, CountsAcrossTheEndOfThirtyTwoBits) {
  poll(SegmentCounts{1000, 2000}, {socketOf(1, 0xffffffffU, 0xffffffffU)});
  m_account.endPoll(SegmentCounts{1000, 2000});
  poll(SegmentCounts{1003, 2002}, {socketOf(1, 2, 1)});
  EXPECT_TRUE(m_account.isWhole(SegmentCounts{1003, 2002}));
}

TEST_F(SegmentAccountTest, KnowsTheSocketsThatChangedLately) {
  EXPECT_TRUE(m_account.isActive(1));
  EXPECT_FALSE(m_account.isActive(3)) << "never seen";
  for (int quiet = 0; quiet < 10; ++quiet) poll(kBegin, {socketOf(2, 10, 10)});
  EXPECT_FALSE(m_account.isActive(1));
  EXPECT_TRUE(m_account.isActive(2));
  m_account.forget(2);
  EXPECT_FALSE(m_account.isActive(2));
}

TEST_F(SegmentAccountTest, TakesNoListener) {
  SocketObservation listener = socketOf(3, 5, 5);
  listener.state = TcpState::listen;
  poll(kBegin, {listener});
  EXPECT_FALSE(m_account.isActive(3));
  EXPECT_TRUE(m_account.isWhole(kBegin));
}

}  // namespace
}  // namespace tcpscope
