// The counters of a host: of this machine, and of one made of files.
#include "collectors/host/host_reading_reader.h"

#include <gtest/gtest.h>

#include <fstream>

namespace tcpscope {
namespace {

namespace fs = std::filesystem;

class HostReadingReader : public testing::Test {
protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "tcpscope-host-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    m_root = name;
  }
  void TearDown() override { fs::remove_all(m_root); }
  void write(const std::string& path, const std::string& text) const {
    fs::create_directories((m_root / path).parent_path());
    std::ofstream(m_root / path) << text;
  }

  fs::path m_root;
};

TEST_F(HostReadingReader, ReadsAnAdapterAndItsBus) {
  write("sys/class/net/eth0/operstate", "up\n");
  write("sys/class/net/eth0/speed", "10000\n");
  write("sys/class/net/eth0/duplex", "full\n");
  write("sys/class/net/eth0/mtu", "9000\n");
  write("sys/class/net/eth0/carrier_changes", "4\n");
  write("sys/class/net/eth0/statistics/rx_crc_errors", "17\n");
  write("sys/class/net/eth0/device/current_link_speed", "5.0 GT/s PCIe\n");
  write("sys/class/net/eth0/device/max_link_speed", "8.0 GT/s PCIe\n");
  write("sys/class/net/eth0/device/current_link_width", "4\n");
  write("sys/class/net/eth0/device/max_link_width", "8\n");
  const HostReading reading = readHost(m_root, {});
  ASSERT_EQ(reading.links.size(), 1U);
  const LinkReading& link = reading.links.front();
  EXPECT_EQ(link.name.rawBytes(), "eth0");
  EXPECT_TRUE(link.isPhysical && link.isUp);
  EXPECT_EQ(link.speed->value(), 10e9);
  EXPECT_EQ(link.duplex, Duplex::full);
  EXPECT_EQ(link.mtu, Bytes(9000));
  EXPECT_EQ(link.counters.at("rx_crc_errors"), 17U);
  EXPECT_EQ(link.counters.at("carrier_changes"), 4U);
  ASSERT_TRUE(link.bus);
  EXPECT_EQ(link.bus->speedNowGts, 5.0);
  EXPECT_EQ(link.bus->lanesMost, 8U);
}

TEST_F(HostReadingReader, LeavesOutWhatADeviceDoesNotReport) {
  write("sys/class/net/tun0/operstate", "unknown\n");
  write("sys/class/net/tun0/speed", "-1\n");
  write("sys/class/net/tun0/duplex", "unknown\n");
  write("sys/class/net/tun0/device/current_link_speed", "Unknown\n");
  const HostReading reading = readHost(m_root, {});
  ASSERT_EQ(reading.links.size(), 1U);
  const LinkReading& link = reading.links.front();
  EXPECT_TRUE(link.isUp);
  EXPECT_FALSE(link.speed || link.duplex || link.bus || link.mtu);
  EXPECT_TRUE(reading.processors.empty());
  EXPECT_TRUE(reading.tcpCounters.empty());
}

TEST_F(HostReadingReader, ReadsTheCountersOfProcessorsAndTcp) {
  write("proc/net/softnet_stat",
        "00d023c9 00000002 0000000d 00000000\n00b596c1 00000000 00000012 00000000\nnonsense\n");
  write("proc/net/netstat",
        "TcpExt: SyncookiesSent ListenDrops PruneCalled\nTcpExt: 0 12 34\nIpExt: InOctets\nIpExt: 1\n");
  const HostReading reading = readHost(m_root, {});
  ASSERT_EQ(reading.processors.size(), 2U);
  EXPECT_EQ(reading.processors[0].processed, 0xd023c9U);
  EXPECT_EQ(reading.processors[0].dropped, 2U);
  EXPECT_EQ(reading.processors[1].squeezed, 0x12U);
  EXPECT_EQ(reading.tcpCounters.at("ListenDrops"), 12U);
  EXPECT_EQ(reading.tcpCounters.at("PruneCalled"), 34U);
  EXPECT_FALSE(reading.tcpCounters.contains("InOctets"));
}

TEST_F(HostReadingReader, ReadsTheOrphansOfTheHost) {
  write("proc/net/sockstat", "sockets: used 8\nTCP: inuse 5 orphan 42 tw 12 alloc 6 mem 1\nUDP: inuse 0 mem 0\n");
  EXPECT_EQ(readHost(m_root, {}).orphans->sockets, 42U);
  EXPECT_FALSE(readHost(m_root, {}).orphans->most);
  write("proc/sys/net/ipv4/tcp_max_orphans", "8192\n");
  EXPECT_EQ(readHost(m_root, {}).orphans->most, 8192U);
  write("proc/net/sockstat", "TCP: inuse 5 orphan many\n");
  EXPECT_FALSE(readHost(m_root, {}).orphans);
}

TEST_F(HostReadingReader, ReadsTheCongestionControls) {
  EXPECT_FALSE(readHost(m_root, {}).controls);
  write("proc/sys/net/ipv4/tcp_congestion_control", "bbr\n");
  write("proc/sys/net/ipv4/tcp_available_congestion_control", "reno bbr hstcp\n");
  const auto controls = readHost(m_root, {}).controls;
  ASSERT_TRUE(controls);
  EXPECT_EQ(controls->standard, UntrustedText("bbr"));
  ASSERT_EQ(controls->available.size(), 3U);
  EXPECT_EQ(controls->available[2], UntrustedText("hstcp"));
}

TEST_F(HostReadingReader, ReadsThisMachine) {
  const HostReading reading = readHost();
  const auto loop = std::find_if(reading.links.begin(), reading.links.end(),
                                 [](const LinkReading& link) { return link.name.rawBytes() == "lo"; });
  if (loop == reading.links.end()) GTEST_SKIP() << "no /sys here";
  EXPECT_FALSE(loop->isPhysical);
  EXPECT_TRUE(loop->mtu);
  EXPECT_TRUE(loop->counters.contains("rx_dropped"));
  EXPECT_FALSE(reading.processors.empty());
  EXPECT_TRUE(reading.tcpCounters.contains("ListenDrops"));
}

}  // namespace
}  // namespace tcpscope
