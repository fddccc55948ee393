// What TCP remembers: from messages made here, and from this machine's kernel.
#include "collectors/host/tcp_metrics_reader.h"

#include <gtest/gtest.h>
#include <linux/genetlink.h>
#include <linux/tcp_metrics.h>

#include "tests/support/netlink_bytes.h"

namespace tcpscope {
namespace {

using test::MessageBytes;
using test::NetlinkBody;

test::ScriptedMessage family(std::uint16_t number) {
  return {.type = GENL_ID_CTRL,
          .payload = NetlinkBody(genlmsghdr{}).value(CTRL_ATTR_FAMILY_ID, number).bytes(),
          .flags = 0};
}

MessageBytes destination(std::optional<std::uint32_t> threshold) {
  NetlinkBody values;
  values.value(TCP_METRIC_CWND + 1, std::uint32_t{10});
  if (threshold) values.value(TCP_METRIC_SSTHRESH + 1, *threshold);
  return NetlinkBody(genlmsghdr{})
      .value(TCP_METRICS_ATTR_ADDR_IPV4, std::uint32_t{0x0100007f})
      .attribute(TCP_METRICS_ATTR_VALS, values.bytes())
      .bytes();
}

Reported<TcpMetricsReading> readFrom(std::vector<std::vector<test::ScriptedMessage>> answers) {
  auto script = std::make_shared<test::Script>(answers.begin(), answers.end());
  return readTcpMetrics({test::scriptedNetlink(script), {}});
}

TEST(TcpMetricsReader, CountsDestinationsAndTheirSmallThresholds) {
  constexpr std::uint16_t kFamily = 0x1d;
  const auto reading = readFrom({{family(kFamily)},
                                 {{.type = kFamily, .payload = destination(std::nullopt)},
                                  {.type = kFamily, .payload = destination(7)},
                                  {.type = kFamily, .payload = destination(4000)},
                                  test::endOfDump()}});
  ASSERT_TRUE(reading);
  EXPECT_EQ(reading->destinations, 3U);
  EXPECT_EQ(reading->withSmallThreshold, 1U);
  EXPECT_EQ(reading->smallestThreshold, 7U);
  EXPECT_TRUE(reading->isWhole);
}

TEST(TcpMetricsReader, GivesTheReasonForAMissingAnswer) {
  EXPECT_EQ(readFrom({{test::kernelError(ENOENT)}}).error(), UnknownReason::notSupported) << "no such family";
  EXPECT_EQ(readFrom({{family(29)}, {test::kernelError(EPERM)}}).error(), UnknownReason::notPermitted);
}

TEST(TcpMetricsReader, ReportsLostMessages) {
  const auto reading = readFrom(
      {{family(29)}, {{.type = 29, .payload = destination(7)}, test::failedReceive(ENOBUFS), test::endOfDump()}});
  ASSERT_TRUE(reading);
  EXPECT_FALSE(reading->isWhole);
  EXPECT_EQ(reading->withSmallThreshold, 1U);
}

TEST(TcpMetricsReader, ReadsNothingBehindTheEndOfAMessage) {
  const MessageBytes whole = destination(7);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto found = decodeTcpMetrics(std::span(whole).first(size));
    EXPECT_TRUE(!found || !found->threshold || *found->threshold == 7) << size;
  }
}

TEST(TcpMetricsReader, ReadsThisMachine) {
  const auto reading = readTcpMetrics(ownHostAccess());
  if (!reading) GTEST_SKIP() << "this kernel remembers nothing of destinations";
  EXPECT_LE(reading->withSmallThreshold, reading->destinations);
}

}  // namespace
}  // namespace tcpscope
