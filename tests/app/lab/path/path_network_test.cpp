// The dumbbell: which host gets which packet when, and the handling of packets without a destination or above the MTU.
//
//   host 0 ──┐                        ┌── host 2
//            ├──── path, left/right ──┤
//   host 1 ──┘                        └── host 3
#include "app/lab/path/path_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/lab/path/link_harness.h"

namespace tcpscope::lab {
namespace {

using namespace std::chrono_literals;
using link_test::at;
using link_test::bytesOf;
using link_test::IpPacket;
using link_test::PacketBytes;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Delivery {
  std::size_t host;
  double at;
  bool operator==(const Delivery&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Delivery& delivery) {
  return out << "host " << delivery.host << " at " << delivery.at;
}

PathSettings dumbbell() {
  PathSettings settings;
  settings.hosts = {{"first", PathSide::left, {}},
                    {"second", PathSide::left, {}},
                    {"third", PathSide::right, {}},
                    {"fourth", PathSide::right, {}}};
  settings.path.forward.delay = 10ms;
  settings.path.backward.delay = 30ms;
  return settings;
}

class PathNetworkTest : public ::testing::Test {
protected:
  void make(const PathSettings& settings) {
    m_network = std::make_unique<PathNetwork>(settings, [this](const PathEvent& event) { m_events.push_back(event); });
  }
  void send(double microseconds, IpPacket packet) { m_network->accept(packet.from, bytesOf(packet), at(microseconds)); }
  std::vector<Delivery> deliveredBy(double microseconds) {
    std::vector<Delivery> deliveries;
    while (auto arrival = m_network->release(at(microseconds))) {
      deliveries.push_back({arrival->host, link_test::microsecondsOf(arrival->due)});
      m_last.assign(arrival->packet.bytes().begin(), arrival->packet.bytes().end());
    }
    return deliveries;
  }

  std::unique_ptr<PathNetwork> m_network;
  std::vector<PathEvent> m_events;
  PacketBytes m_last;
};

TEST_F(PathNetworkTest, CarriesPacketsAcrossAndBack) {
  make(dumbbell());
  send(0, {0, 2});
  send(1, {3, 1});
  EXPECT_THAT(deliveredBy(9'999), IsEmpty());
  EXPECT_THAT(deliveredBy(50'000), ElementsAre(Delivery{2, 10'000}, Delivery{1, 30'001}));
}

TEST_F(PathNetworkTest, CarriesIpv6) {
  make(dumbbell());
  send(0, {1, 3, true});
  EXPECT_THAT(deliveredBy(50'000), ElementsAre(Delivery{3, 10'000}));
}

TEST_F(PathNetworkTest, LeavesThePathOutBetweenHostsOfOneSide) {
  make(dumbbell());
  send(0, {0, 1});
  EXPECT_THAT(deliveredBy(0), ElementsAre(Delivery{1, 0}));
}

TEST_F(PathNetworkTest, AddsUpDelaysOfLinksHoweverLateItIsAsked) {
  PathSettings settings = dumbbell();
  settings.hosts[0].access.forward.delay = 1ms;
  settings.hosts[2].access.backward.delay = 2ms;
  make(settings);
  send(0, {0, 2});
  EXPECT_THAT(deliveredBy(1e6), ElementsAre(Delivery{2, 13'000}));
}

// Two hosts on fast links share a path of 8 Mbit/s: packets of 1,000 bytes leave it a millisecond apart.
TEST_F(PathNetworkTest, SharesTheBottleneck) {
  PathSettings settings = dumbbell();
  settings.path.forward.rate = BitsPerSecond(8e6);
  make(settings);
  IpPacket packet{0, 2};
  packet.payload = 960;
  send(0, packet);
  packet.from = 1;
  packet.to = 3;
  send(0, packet);
  EXPECT_THAT(deliveredBy(1e6), ElementsAre(Delivery{2, 11'000}, Delivery{3, 12'000}));
}

TEST_F(PathNetworkTest, CountsUnroutablePackets) {
  make(dumbbell());
  send(0, {0, 17});
  m_network->accept(0, PacketBytes{0x45, 0, 0}, at(0));
  EXPECT_THAT(deliveredBy(1e6), IsEmpty());
  EXPECT_EQ(m_network->unrouted(), Count(2));
}

TEST_F(PathNetworkTest, ReportsTheTimeOfTheNextRelease) {
  make(dumbbell());
  EXPECT_FALSE(m_network->nextRelease());
  send(0, {0, 2});
  EXPECT_THAT(deliveredBy(0), IsEmpty());
  EXPECT_EQ(m_network->nextRelease(), at(10'000));
}

TEST_F(PathNetworkTest, ChangesWhileItRuns) {
  make(dumbbell());
  send(0, {0, 2});
  PathSettings longer = dumbbell();
  longer.path.forward.delay = 40ms;
  m_network->change(longer, at(1));
  send(2, {0, 2});
  EXPECT_THAT(deliveredBy(1e6), ElementsAre(Delivery{2, 10'000}, Delivery{2, 40'002}));
}

TEST_F(PathNetworkTest, NamesItsLinksByHostAndDirection) {
  make(dumbbell());
  std::vector<std::string> names;
  for (const LinkReport& link : m_network->links()) names.push_back(link.name);
  EXPECT_THAT(names,
              ElementsAre("path.forward", "path.backward", "first.forward", "first.backward", "second.forward",
                          "second.backward", "third.forward", "third.backward", "fourth.forward", "fourth.backward"));
  EXPECT_EQ(names[PathNetwork::linkTo(2)], "third.backward");
}

TEST_F(PathNetworkTest, NotifiesTheSenderOfAPacketAboveTheMtu) {
  for (const bool ipv6 : {false, true}) {
    PathSettings settings = dumbbell();
    settings.path.forward.mtu = Bytes(1300);
    make(settings);
    IpPacket packet{0, 2, ipv6};
    packet.payload = 1400;
    packet.sequence = 77;
    send(0, packet);
    EXPECT_THAT(deliveredBy(1e6), ElementsAre(Delivery{0, 0}));
    const auto header = readPacketHeader(m_last);
    ASSERT_TRUE(header);
    EXPECT_EQ(header->protocol, ipv6 ? 58 : 1);
    EXPECT_EQ(header->destination.address.toString(), ipv6 ? "fd77::1" : "10.77.0.1");
    ASSERT_EQ(m_events.back().kind, PathEventKind::mtuDrop);
    EXPECT_EQ(m_events.back().sequence, 77U);
  }
}

TEST_F(PathNetworkTest, SendsTheAnswerOfAHostsOwnLinkOverThePath) {
  PathSettings settings = dumbbell();
  settings.hosts[2].access.backward.mtu = Bytes(1000);
  make(settings);
  IpPacket packet{0, 2};
  packet.payload = 1400;
  send(0, packet);
  EXPECT_THAT(deliveredBy(1e6), ElementsAre(Delivery{0, 40'000}));
}

TEST_F(PathNetworkTest, SaysNothingWhereItIsSilent) {
  PathSettings settings = dumbbell();
  settings.path.forward.mtu = Bytes(1000);
  settings.path.forward.mtuIsSilent = true;
  make(settings);
  IpPacket packet{0, 2};
  packet.payload = 1400;
  send(0, packet);
  EXPECT_THAT(deliveredBy(1e6), IsEmpty());
  EXPECT_EQ(m_events.size(), 1U);
}

TEST(HostAddress, LeadsBackToItsHost) {
  for (const std::size_t host : {std::size_t{0}, std::size_t{1}, kMostHosts - 1}) {
    const HostAddress address = hostAddress(host);
    EXPECT_EQ(hostWithAddress(*IpAddress::parse(address.ipv4)), host);
    EXPECT_EQ(hostWithAddress(*IpAddress::parse(address.ipv6)), host);
  }
  EXPECT_FALSE(hostWithAddress(routerAddress(AddressFamily::ipv4)));
  EXPECT_FALSE(hostWithAddress(routerAddress(AddressFamily::ipv6)));
  EXPECT_FALSE(hostWithAddress(*IpAddress::parse("10.77.1.1")));
  EXPECT_FALSE(hostWithAddress(*IpAddress::parse("ff02::16")));
}

}  // namespace
}  // namespace tcpscope::lab
