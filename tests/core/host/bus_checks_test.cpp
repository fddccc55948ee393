// Adapters that share a place on the bus.
#include "core/host/layer_checks.h"

#include <gtest/gtest.h>

#include "core/present/text/checkup_text.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;

LinkReading port(const char* name) {
  LinkReading link;
  link.name = UntrustedText(name);
  link.isPhysical = true;
  link.isUp = true;
  link.speed = BitsPerSecond(10e9);
  // 4 lanes of PCI Express 2: 16 Gbit/s.
  link.bus = BusReading{5.0, 5.0, 4, 4};
  link.counters = {{"rx_bytes", 0}, {"tx_bytes", 0}};
  return link;
}

/// One card with two ports for 10 Gbit/s.
HostReading busHost() {
  HostReading reading;
  reading.links = {port("eth0"), port("eth1")};
  reading.links[0].neighbours =
      std::vector<BusNeighbour>{{DeviceKind::network, UntrustedText("0000:3b:00.1"), {UntrustedText("eth1")}}};
  return reading;
}

HostReading afterTraffic(std::uint64_t first, std::uint64_t second) {
  HostReading reading = busHost();
  reading.at = reading.at + 1s;
  reading.links[0].counters["rx_bytes"] = first;
  reading.links[1].counters["tx_bytes"] = second;
  return reading;
}

CheckRow neighbours(const HostReading& before, const HostReading& after) {
  std::vector<CheckRow> rows;
  addBusChecks(rows, after.links[0], before, after);
  return rows.empty() ? CheckRow() : rows.front();
}

TEST(BusChecks, WarnOfTwoBusyPortsWithTooNarrowABus) {
  const CheckRow row = neighbours(busHost(), afterTraffic(900'000'000, 800'000'000));
  EXPECT_EQ(row.status, CheckStatus::warn);
  EXPECT_EQ(finding(row), "network 0000:3b:00.1 (eth1)");
}

TEST(BusChecks, PassAHarmlessNeighbour) {
  EXPECT_EQ(neighbours(busHost(), afterTraffic(900'000'000, 5000)).status, CheckStatus::pass) << "which is idle";
  HostReading wide = afterTraffic(900'000'000, 800'000'000);
  wide.links[0].bus = BusReading{8.0, 8.0, 8, 8};
  EXPECT_EQ(neighbours(busHost(), wide).status, CheckStatus::pass) << "the bandwidth suffices for both";
  wide.links[0].bus.reset();
  EXPECT_EQ(neighbours(busHost(), wide).status, CheckStatus::pass) << "its width is unknown";
}

TEST(BusChecks, ReportAStorageDevice) {
  HostReading reading = busHost();
  reading.links[0].neighbours = std::vector<BusNeighbour>{{DeviceKind::storage, UntrustedText("0000:3b:01.0"), {}}};
  EXPECT_EQ(finding(neighbours(reading, reading)), "storage 0000:3b:01.0");
  reading.links[0].neighbours->clear();
  EXPECT_EQ(finding(neighbours(reading, reading)), "no other device behind its bridge");
  reading.links[0].neighbours = unreported();
  EXPECT_EQ(neighbours(reading, reading).status, CheckStatus::unknown);
  reading.links[0].isPhysical = false;
  EXPECT_EQ(neighbours(reading, reading).id, CheckId::count);
}

}  // namespace
}  // namespace tcpscope
