// The examples of RFC 6349, sections 4.2 and 4.3.
#include "core/diagnosis/bounds/transfer_metrics.h"

#include <gtest/gtest.h>

#include "core/present/text/target_text.h"
#include "tests/support/observation_builder.h"

namespace tcpscope {
namespace {

TEST(TransferMetrics, AreThoseOfRfc6349) {
  // 100,000 bytes and 2000 of them again; 32 ms on average against 25.
  test::ObservationBuilder socket;
  socket.set(tcp_info::kBytesSent, std::uint64_t{102'000}).set(tcp_info::kBytesRetrans, std::uint64_t{2'000});
  socket.rtt(std::chrono::milliseconds(32), std::chrono::milliseconds(25));
  WindowStatistics window;
  window.rttUs.add(32'000);
  const TransferMetrics metrics = transferMetrics(socket.build(), window);
  EXPECT_NEAR(*metrics.efficiencyRatio, 0.98039, 1e-5);
  EXPECT_NEAR(*metrics.bufferDelayRatio, 0.28, 1e-9);
  EXPECT_EQ(metricsText(metrics), "efficiency 98.04 %, buffer delay 28 %");
  EXPECT_EQ(metricsText(metrics, 1.25),
            "efficiency 98.04 %, buffer delay 28 %, transfer time 1.25 times that at the target rate");
}

TEST(TransferMetrics, AreAbsentWhereNothingWasCounted) {
  const TransferMetrics metrics = transferMetrics(SocketObservation{}, WindowStatistics{});
  EXPECT_TRUE(metrics.empty());
  EXPECT_EQ(metricsText(metrics), "");
  EXPECT_EQ(transferTimeRatio(BitsPerSecond(0), BitsPerSecond(1e6)), std::nullopt);
}

}  // namespace
}  // namespace tcpscope
