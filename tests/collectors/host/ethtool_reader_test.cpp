// Offloads by ethtool: of a driver made here, and of a real pair of veth.
#include "collectors/host/ethtool_reader.h"

#include <gtest/gtest.h>
#include <linux/ethtool.h>

#include <cerrno>

namespace tcpscope {
namespace {

HostAccess driver(std::function<int(ethtool_value&)> answer) {
  return {{}, [answer = std::move(answer)](const std::string&, void* command) {
            return answer(*static_cast<ethtool_value*>(command));
          }};
}

TEST(EthtoolReader, ReportsEnabledFeaturesAndLeavesOutUnknownOnes) {
  const auto reading = readOffloads(UntrustedText("eth0"), driver([](ethtool_value& value) {
                                      if (value.cmd == ETHTOOL_GGRO) return EOPNOTSUPP;
                                      value.data = value.cmd == ETHTOOL_GTSO ? 0 : 1;
                                      if (value.cmd == ETHTOOL_GFLAGS) value.data = ETH_FLAG_LRO;
                                      return 0;
                                    }));
  ASSERT_TRUE(reading);
  EXPECT_EQ(reading->tcpSegmentation, false);
  EXPECT_EQ(reading->genericSegmentation, true);
  EXPECT_EQ(reading->genericReceive, std::nullopt);
  EXPECT_EQ(reading->largeReceive, true);
}

TEST(EthtoolReader, GivesTheReasonForMissingOffloads) {
  const UntrustedText name("eth0");
  EXPECT_EQ(readOffloads(name, driver([](ethtool_value&) { return EOPNOTSUPP; })).error(), UnknownReason::notSupported);
  EXPECT_EQ(readOffloads(name, driver([](ethtool_value&) { return EPERM; })).error(), UnknownReason::notPermitted);
  EXPECT_EQ(readOffloads(name, {}).error(), UnknownReason::notReported);
}

TEST(EthtoolReader, ReadsRingSizesAndInterruptCoalescing) {
  const HostAccess access{{}, [](const std::string&, void* command) {
                            auto& rings = *static_cast<ethtool_ringparam*>(command);
                            if (rings.cmd == ETHTOOL_GRINGPARAM) {
                              rings.rx_pending = 256;
                              rings.rx_max_pending = 4096;
                              return 0;
                            }
                            auto& coalescing = *static_cast<ethtool_coalesce*>(command);
                            coalescing.rx_coalesce_usecs = 250;
                            return 0;
                          }};
  const auto rings = readRings(UntrustedText("eth0"), access);
  ASSERT_TRUE(rings);
  EXPECT_EQ(rings->receiveNow, 256U);
  EXPECT_EQ(rings->receiveMost, 4096U);
  const auto coalescing = readCoalescing(UntrustedText("eth0"), access);
  ASSERT_TRUE(coalescing);
  EXPECT_EQ(coalescing->receiveDelay, Microseconds(250));
  EXPECT_FALSE(coalescing->isAdaptive);
  EXPECT_EQ(readRings(UntrustedText("lo"), ownHostAccess()).error(), UnknownReason::notSupported);
}

TEST(EthtoolReader, ReadsThisMachine) {
  const auto reading = readOffloads(UntrustedText("lo"), ownHostAccess());
  if (!reading) GTEST_SKIP() << "no ethtool here";
  EXPECT_TRUE(reading->genericSegmentation);
  EXPECT_FALSE(readOffloads(UntrustedText("a-name-that-is-far-too-long-for-one"), ownHostAccess()));
}

}  // namespace
}  // namespace tcpscope
