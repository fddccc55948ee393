#include "core/model/current_rtt.h"

#include <gtest/gtest.h>

#include "tests/support/observation_builder.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;
using test::ObservationBuilder;

/// A smoothed RTT of 20 ms; data was sent and received last so long ago.
ObservationBuilder lastData(std::chrono::milliseconds sent, std::chrono::milliseconds received) {
  return ObservationBuilder()
      .set(tcp_info::kLastDataSent, static_cast<std::uint32_t>(sent.count()))
      .set(tcp_info::kLastDataRecv, static_cast<std::uint32_t>(received.count()));
}

bool isOld(ObservationBuilder builder) {
  const auto rtt = currentRtt(builder.build().info);
  EXPECT_TRUE(rtt);
  return rtt && rtt->isOld;
}

TEST(CurrentRtt, IsTheSmoothedOneWhileThisEndSends) {
  const auto rtt = currentRtt(lastData(10ms, 10s).set(tcp_info::kRcvRtt, 90'000U).build().info);
  ASSERT_TRUE(rtt);
  EXPECT_EQ(rtt->time, 20ms);
  EXPECT_FALSE(rtt->isOld);
  EXPECT_FALSE(isOld(lastData(1s, 10ms)));
}

TEST(CurrentRtt, OfAnEndThatOnlyReceivesIsOldWhateverTheReceiverEstimates) {
  EXPECT_TRUE(isOld(lastData(45s, 10ms)));
  // Measured on loopback, from a sender that writes every 20 ms.
  const auto rtt = currentRtt(lastData(9s, 4ms).set(tcp_info::kRcvRtt, 20'125U).set(tcp_info::kRtt, 19U).build().info);
  ASSERT_TRUE(rtt);
  EXPECT_EQ(rtt->time, 19us);
  EXPECT_TRUE(rtt->isOld);
}

TEST(CurrentRtt, OfAConnectionThatIsIdleIsThatOfItsLastData) {
  EXPECT_FALSE(isOld(lastData(45s, 44s)));
}

TEST(CurrentRtt, IsUnknownBeforeTheFirstMeasurement) {
  EXPECT_FALSE(currentRtt(lastData(0ms, 0ms).set(tcp_info::kRtt, 0U).build().info));
  EXPECT_FALSE(currentRtt(TcpInfoSample()));
}

}  // namespace
}  // namespace tcpscope
