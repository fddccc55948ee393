// Records of a kernel older than the layout, from a real connection: what it reports is read, what it lacks is absent.
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "core/model/metric_catalogue.h"
#include "core/model/tcp_info_sample.h"
#include "tests/support/built_paths.h"

namespace tcpscope {
namespace {

std::vector<TcpInfoSample> recordedSamples() {
  std::ifstream file(test::testData() / "inet_diag/tcp_info_224_bytes.txt");
  std::vector<TcpInfoSample> samples;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    const std::string digits = line.substr(line.find(' ') + 1);
    std::vector<std::byte> bytes;
    for (std::size_t at = 0; at + 1 < digits.size(); at += 2) {
      bytes.push_back(static_cast<std::byte>(std::stoi(digits.substr(at, 2), nullptr, 16)));
    }
    samples.emplace_back(bytes);
  }
  return samples;
}

TEST(RecordedTcpInfo, IsReadAsThatKernelMeantIt) {
  const std::vector<TcpInfoSample> samples = recordedSamples();
  ASSERT_EQ(samples.size(), 10U);
  const TcpInfoSample& first = samples.front();
  EXPECT_EQ(first.bytes().size(), 224U);
  EXPECT_EQ(first.state(), TcpState::established);
  EXPECT_EQ(first.caState(), CaState::open);
  EXPECT_EQ(first.sndWscale(), Count(7));
  EXPECT_EQ(first.rcvWscale(), Count(7));
  EXPECT_EQ(first.rtt(), Microseconds(125'906));
  EXPECT_EQ(first.minRtt(), Microseconds(125'717));
  EXPECT_EQ(first.sndCwnd(), Segments(3));
  EXPECT_EQ(first.sndSsthresh(), Segments(2));
  EXPECT_EQ(first.bytesAcked(), Bytes(4'900'878));
  EXPECT_EQ(first.bytesSent(), Bytes(4'907'573));
  EXPECT_EQ(first.bytesRetrans(), Bytes(6'695));
  EXPECT_EQ(first.busyTime(), Microseconds(231'435'000));
  EXPECT_EQ(first.deliveryRate(), BitsPerSecond(21'681 * 8.0));
  EXPECT_EQ(first.deliveryRateAppLimited(), true);
  EXPECT_TRUE(first.maxPacingRate()->isUnlimited());
}

TEST(RecordedTcpInfo, HasNoValueForWhatCameLater) {
  for (const TcpInfoSample& sample : recordedSamples()) {
    EXPECT_FALSE(sample.rcvOoopack());
    EXPECT_FALSE(sample.sndWnd());
    EXPECT_FALSE(sample.rcvWnd());
    EXPECT_FALSE(sample.totalRto());
    EXPECT_FALSE(sample.receivedCe());
    EXPECT_FALSE(sample.accecnFields().failMode);
  }
}

TEST(RecordedTcpInfo, HasCountersThatNeverStepBack) {
  const std::vector<TcpInfoSample> samples = recordedSamples();
  for (std::size_t index = 1; index < samples.size(); ++index) {
    EXPECT_GE(samples[index].bytesAcked(), samples[index - 1].bytesAcked());
    EXPECT_GE(samples[index].segsOut(), samples[index - 1].segsOut());
    EXPECT_GE(samples[index].delivered(), samples[index - 1].delivered());
  }
  EXPECT_EQ(samples.back().bytesAcked(), Bytes(4'927'729));
}

TEST(RecordedTcpInfo, FillsTheCatalogueUpToTheEndOfTheRecord) {
  SocketObservation socket;
  socket.info = recordedSamples().front();
  const MetricSource source{socket};
  for (int number = 0; number < static_cast<int>(Metric::receiveQueue); ++number) {
    const MetricRow& row = metricRow(static_cast<Metric>(number));
    EXPECT_EQ(row.read(source).has_value(), row.metric < Metric::rcvOoopack) << row.key;
  }
}

}  // namespace
}  // namespace tcpscope
