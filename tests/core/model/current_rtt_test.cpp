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

void expectRtt(const ObservationBuilder& builder, Microseconds time, RttSource source) {
  const auto rtt = currentRtt(ObservationBuilder(builder).build().info);
  ASSERT_TRUE(rtt);
  EXPECT_EQ(rtt->time, time);
  EXPECT_EQ(rtt->source, source);
}

TEST(CurrentRtt, OfAnEndThatSendsIsTheSmoothedOne) {
  expectRtt(lastData(10ms, 10s).set(tcp_info::kRcvRtt, 90'000U), 20ms, RttSource::smoothed);
  expectRtt(lastData(1s, 10ms).set(tcp_info::kRcvRtt, 90'000U), 20ms, RttSource::smoothed);
}

TEST(CurrentRtt, OfAnEndThatOnlyReceivesIsTheReceiversEstimate) {
  expectRtt(lastData(45s, 10ms).set(tcp_info::kRcvRtt, 90'000U), 90ms, RttSource::receiver);
}

TEST(CurrentRtt, IsOldWhereTheReceiverHasNoEstimate) {
  expectRtt(lastData(45s, 10ms), 20ms, RttSource::old);
}

TEST(CurrentRtt, OfAConnectionThatIsIdleIsThatOfItsLastData) {
  expectRtt(lastData(45s, 44s), 20ms, RttSource::smoothed);
}

TEST(CurrentRtt, IsUnknownBeforeTheFirstMeasurement) {
  EXPECT_FALSE(currentRtt(lastData(0ms, 0ms).set(tcp_info::kRtt, 0U).build().info));
  EXPECT_FALSE(currentRtt(TcpInfoSample()));
}

}  // namespace
}  // namespace tcpscope
