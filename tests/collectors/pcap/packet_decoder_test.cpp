#include "collectors/pcap/packet_decoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/capture_text.h"

namespace tcpscope {
namespace {

using namespace test;

constexpr std::int64_t kTime = 1'700'000'000'123'456'789;

CapturedFrame frameOf(const Octets& bytes, LinkType linkType = LinkType::ethernet) {
  CapturedFrame frame;
  frame.linkType = linkType;
  frame.interface = 2;
  frame.number = 17;
  frame.time = WallTime::fromNanoseconds(kTime);
  frame.wireBytes = static_cast<std::uint32_t>(bytes.size());
  frame.bytes = bytes;
  return frame;
}

/// The segment that tests look for behind all kinds of headers.
SegmentText exampleSegment() {
  SegmentText segment;
  segment.sequence = 0xfffffff0;
  segment.acknowledgment = 77;
  segment.flags = TcpFlags{0x18};
  segment.window = 4096;
  segment.options = octets({1, 1, 8, 10, 0, 0, 0, 1, 0, 0, 0, 2});
  segment.payloadBytes = 100;
  segment.ecn = EcnCodepoint::capable0;
  segment.hopLimit = 57;
  return segment;
}

std::string decoded(const Octets& bytes, LinkType linkType = LinkType::ethernet, PacketDecoderSettings settings = {}) {
  return textOf(decodePacket(frameOf(bytes, linkType), settings));
}

/// With the first `kept` bytes of the frame only.
std::string decodedCut(const Octets& bytes, std::size_t kept) {
  CapturedFrame frame = frameOf(bytes);
  frame.bytes = frame.bytes.first(kept);
  return textOf(decodePacket(frame));
}

TEST(PacketDecoder, DecodesTheHeaders) {
  const Octets bytes = ethernetFrame(ipPacket(exampleSegment()));
  const auto sample = decodePacket(frameOf(bytes));
  ASSERT_TRUE(sample);
  EXPECT_EQ(sample->time.nanoseconds(), kTime);
  EXPECT_EQ(sample->number, 17U);
  EXPECT_EQ(sample->interface, 2U);
  EXPECT_EQ(sample->source.toString(), "192.0.2.1:40000");
  EXPECT_EQ(sample->destination.toString(), "198.51.100.7:443");
  EXPECT_EQ(sample->sequence, 0xfffffff0U);
  EXPECT_EQ(sample->acknowledgment, 77U);
  EXPECT_TRUE(sample->flags.ack() && sample->flags.psh() && !sample->flags.syn());
  EXPECT_EQ(sample->window, 4096U);
  EXPECT_EQ(sample->payloadBytes, 100U);
  EXPECT_EQ(sample->ecn, EcnCodepoint::capable0);
  EXPECT_EQ(sample->hopLimit, 57U);
  EXPECT_FALSE(sample->optionsAreCut);
  EXPECT_FALSE(sample->isFirstFragment);
  EXPECT_THAT(sample->options, testing::ElementsAreArray(exampleSegment().options));
}

/// Every way in which the same packet may be wrapped, for both IP versions.
class Wrapped : public testing::TestWithParam<bool> {
protected:
  Wrapped() {
    m_segment = exampleSegment();
    if (GetParam()) {
      m_segment.source = endpointAt("2001:db8::1", 40000);
      m_segment.destination = endpointAt("2001:db8::2", 443);
    }
    m_packet = ipPacket(m_segment);
    m_type = etherTypeOf(m_packet);
    m_expected = decoded(ethernetFrame(m_packet));
  }

  SegmentText m_segment;
  Octets m_packet;
  std::uint16_t m_type = 0;
  std::string m_expected;
};

INSTANTIATE_TEST_SUITE_P(PacketDecoder, Wrapped, testing::Bool(),
                         [](const auto& each) { return each.param ? "Ipv6" : "Ipv4"; });

TEST_P(Wrapped, IsTheSameBehindEveryLinkType) {
  ASSERT_THAT(m_expected, testing::HasSubstr("seq 4294967280 ack 77"));
  EXPECT_EQ(decoded(m_packet, LinkType::rawIp), m_expected);
  EXPECT_EQ(decoded(m_packet, LinkType::bsdRawIp), m_expected);
  EXPECT_EQ(decoded(m_packet, LinkType::openBsdRawIp), m_expected);
  EXPECT_EQ(decoded(m_packet, LinkType::ipv4), m_expected);
  EXPECT_EQ(decoded(m_packet, LinkType::ipv6), m_expected);
  EXPECT_EQ(decoded(linuxCooked(m_type, m_packet), LinkType::linuxCooked), m_expected);
  EXPECT_EQ(decoded(linuxCooked2(m_type, m_packet), LinkType::linuxCooked2), m_expected);
  EXPECT_EQ(decoded(octets({0x0f, 0}) + bigEndian(m_type, 2) + m_packet, LinkType::ciscoHdlc), m_expected);
  EXPECT_EQ(decoded(ppp(m_packet), LinkType::ppp), m_expected);
  EXPECT_EQ(decoded(octets({0xff, 0x03}) + ppp(m_packet), LinkType::pppInHdlc), m_expected);
  EXPECT_EQ(decoded(octets({0x01, 0x03}) + ppp(m_packet), LinkType::pppWithDirection), m_expected);
  EXPECT_EQ(decoded(pppoeSession(ppp(m_packet)), LinkType::pppoeSession), m_expected);
}

TEST_P(Wrapped, IsTheSameBehindPerPacketInformation) {
  // Version and flags, the header's length, the link type behind it: little-endian on every host.
  const auto ppi = [](unsigned headerBytes, unsigned linkType, const Octets& rest) {
    return octets({0, 0, headerBytes, 0, linkType, 0, 0, 0}) + Octets(headerBytes - 8U) + rest;
  };
  EXPECT_EQ(decoded(ppi(8, 1, ethernetFrame(m_packet)), LinkType::ppi), m_expected);
  EXPECT_EQ(decoded(ppi(24, 12, m_packet), LinkType::ppi), m_expected);
  EXPECT_EQ(decoded(ppi(8, 105, m_packet), LinkType::ppi), "unknown link type");
  EXPECT_EQ(decoded(ppi(8, 192, ppi(8, 12, m_packet)), LinkType::ppi), "unknown link type");
  EXPECT_EQ(decoded(octets({0, 0, 4, 0, 1, 0, 0, 0}) + m_packet, LinkType::ppi), "malformed");
}

TEST_P(Wrapped, IsTheSameInWhatAFirewallRuleLogged) {
  // Attributes in the byte order of the host: the packet's type, a prefix of 5 bytes with its padding, the packet.
  const auto size = static_cast<unsigned>(m_packet.size()) + 4;
  const Octets header = octets({GetParam() ? 10U : 2U, 0, 0, 1});
  const Octets little = header + octets({8, 0, 1, 0, 0, 0, 1, 0}) +
                        octets({9, 0, 10, 0, 'd', 'r', 'o', 'p', 0, 0, 0, 0}) +
                        octets({size & 0xffU, size >> 8U, 9, 0}) + m_packet;
  const Octets big = header + octets({0, 8, 0, 1, 0, 0, 1, 0}) + octets({0, 9, 0, 10, 'd', 'r', 'o', 'p', 0, 0, 0, 0}) +
                     octets({size >> 8U, size & 0xffU, 0, 9}) + m_packet;
  EXPECT_EQ(decoded(little, LinkType::nflog), m_expected);
  EXPECT_EQ(decoded(big, LinkType::nflog), m_expected);
  EXPECT_EQ(decoded(header + octets({3, 0, 9, 0}) + m_packet, LinkType::nflog), "malformed");
  EXPECT_EQ(decoded(header + octets({32, 0, 9, 0, 0, 1, 8, 0}) + Octets(24), LinkType::nflog), "other protocol")
      << "ARP";
}

TEST_P(Wrapped, IsTheSameBehindAnAuthenticationHeader) {
  IpShape shape;
  shape.protocol = 51;
  const Octets authentication = octets({6, 4}) + Octets(22);
  const auto packet = [&](const Octets& header) {
    const Octets payload = header + tcpBytes(m_segment);
    return GetParam() ? ipv6Packet(m_segment, payload, shape) : ipv4Packet(m_segment, payload, shape);
  };
  EXPECT_EQ(decoded(packet(authentication), LinkType::rawIp), m_expected);
}

TEST_P(Wrapped, IsTheSameBehindALoopbackHeaderOfEitherByteOrder) {
  const unsigned family = GetParam() ? 30 : 2;
  for (const LinkType linkType : {LinkType::bsdLoopback, LinkType::openBsdLoopback}) {
    EXPECT_EQ(decoded(octets({0, 0, 0, family}) + m_packet, linkType), m_expected);
    EXPECT_EQ(decoded(octets({family, 0, 0, 0}) + m_packet, linkType), m_expected);
  }
}

TEST_P(Wrapped, IsTheSameBehindTagsAndLabels) {
  EXPECT_EQ(decoded(ethernetFrame(0x8100, vlanTag(7, m_type, m_packet))), m_expected);
  EXPECT_EQ(decoded(ethernetFrame(0x88a8, vlanTag(9, 0x8100, vlanTag(7, m_type, m_packet)))), m_expected);
  EXPECT_EQ(decoded(linuxCooked(0x8100, vlanTag(7, m_type, m_packet)), LinkType::linuxCooked), m_expected);
  EXPECT_EQ(decoded(ethernetFrame(0x8847, mplsLabel(100, false, mplsLabel(200, true, m_packet)))), m_expected);
  EXPECT_EQ(decoded(ethernetFrame(0x8847, mplsLabel(100, true, bigEndian(0, 4) + ethernetFrame(m_packet)))),
            m_expected);
  EXPECT_EQ(decoded(ethernetFrame(0x8864, pppoeSession(ppp(m_packet)))), m_expected);
  EXPECT_EQ(decoded(ethernetFrame(0x8100, vlanTag(7, 0x8864, pppoeSession(ppp(m_packet))))), m_expected);
  const Octets snap = octets({0xaa, 0xaa, 0x03, 0, 0, 0}) + bigEndian(m_type, 2) + m_packet;
  EXPECT_EQ(decoded(ethernetFrame(static_cast<std::uint16_t>(snap.size()), snap)), m_expected);
}

TEST_P(Wrapped, DoesNotTakePaddingForPayload) {
  EXPECT_EQ(decoded(ethernetFrame(m_packet) + Octets(11)), m_expected);
}

TEST(PacketDecoder, TakesNoPaddingInsideAWrongIpLengthForPayload) {
  SegmentText segment;
  IpShape withPadding;
  withPadding.length = 46;
  const auto payloadOf = [&](const Octets& behindHeaders) {
    const Octets frame = ethernetFrame(ipPacket(segment, withPadding) + behindHeaders);
    return decodePacket(frameOf(frame))->payloadBytes;
  };
  EXPECT_EQ(payloadOf(Octets(6)), 0U);
  EXPECT_EQ(payloadOf(octets({0, 0, 0, 0, 0, 1})), 6U);
  segment.options = octets({2, 4, 5, 0xb4});
  EXPECT_EQ(payloadOf(Octets(2)), 0U);
  segment.options.clear();
  segment.flags = TcpFlags{0x18};
  EXPECT_EQ(payloadOf(Octets(6)), 6U) << "an application pushed it";
}

TEST_P(Wrapped, IsFoundInsideTunnelsOnRequestOnly) {
  SegmentText outer;
  outer.source = endpointAt("203.0.113.1", 0);
  outer.destination = endpointAt("203.0.113.2", 0);
  IpShape gre;
  gre.protocol = 47;
  IpShape datagram;
  datagram.protocol = 17;
  IpShape ipInIp;
  ipInIp.protocol = GetParam() ? 41 : 4;
  const Octets inner = ethernetFrame(m_packet);
  const Octets vxlan = octets({0x08, 0, 0, 0, 0, 0, 7, 0}) + inner;
  const Octets geneve = octets({0x01, 0, 0x65, 0x58, 0, 0, 7, 0, 1, 2, 3, 4}) + inner;
  const std::vector<Octets> packets = {
      ipv4Packet(outer, m_packet, ipInIp),
      ipv4Packet(outer, bigEndian(0, 2) + bigEndian(m_type, 2) + m_packet, gre),
      ipv4Packet(outer, octets({0xb0, 0}) + bigEndian(m_type, 2) + Octets(12) + m_packet, gre),
      ipv4Packet(outer, octets({0, 0, 0x65, 0x58}) + inner, gre),
      ipv4Packet(outer, udp(4789, vxlan), datagram),
      ipv4Packet(outer, udp(6081, geneve), datagram),
      // GRE in UDP.
      ipv4Packet(outer, udp(4754, octets({0, 0, 0x65, 0x58}) + inner), datagram),
      // ERSPAN type I, II, III, and III with a header of the platform, of a frame and of an IP packet.
      ipv4Packet(outer, octets({0, 0, 0x88, 0xbe}) + inner, gre),
      ipv4Packet(outer, octets({0x10, 0, 0x88, 0xbe, 0, 0, 0, 1}) + octets({0x10, 7, 0, 1, 0, 0, 0, 0}) + inner, gre),
      ipv4Packet(outer, octets({0x10, 0, 0x22, 0xeb, 0, 0, 0, 1}) + octets({0x20, 7, 0, 1}) + Octets(8) + inner, gre),
      ipv4Packet(outer,
                 octets({0x10, 0, 0x22, 0xeb, 0, 0, 0, 1}) + octets({0x20, 7, 0, 1}) + Octets(7) + octets({1}) +
                     Octets(8) + inner,
                 gre),
      ipv4Packet(
          outer,
          octets({0x10, 0, 0x22, 0xeb, 0, 0, 0, 1}) + octets({0x20, 7, 0, 1}) + Octets(6) + octets({8, 0}) + m_packet,
          gre),
      // GTP-U plain, with a sequence number, and with the PDU session container of 5G.
      ipv4Packet(outer, udp(2152, octets({0x30, 0xff, 0, 0, 0, 0, 0, 9}) + m_packet), datagram),
      ipv4Packet(outer, udp(2152, octets({0x32, 0xff, 0, 0, 0, 0, 0, 9, 0, 1, 0, 0}) + m_packet), datagram),
      ipv4Packet(outer, udp(2152, octets({0x34, 0xff, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0x85, 1, 0x10, 9, 0}) + m_packet),
                 datagram),
  };
  for (const Octets& packet : packets) {
    EXPECT_EQ(decoded(packet, LinkType::rawIp), "tunnel");
    EXPECT_EQ(decoded(packet, LinkType::rawIp, PacketDecoderSettings{true}), m_expected);
  }
}

TEST(PacketDecoder, TakesNoOtherMessageForATunnel) {
  SegmentText outer;
  IpShape datagram;
  datagram.protocol = 17;
  const auto inUdp = [&](std::uint16_t port, const Octets& payload) {
    return decoded(ipv4Packet(outer, udp(port, payload), datagram), LinkType::rawIp, PacketDecoderSettings{true});
  };
  const Octets packet = ipPacket(exampleSegment());
  EXPECT_EQ(inUdp(2152, octets({0x30, 1, 0, 0, 0, 0, 0, 0}) + packet), "other protocol") << "an echo of GTP";
  EXPECT_EQ(inUdp(2152, octets({0x34, 0xff, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0x85, 0, 0, 0, 0}) + packet), "other protocol")
      << "an extension header without length";
  EXPECT_EQ(inUdp(4754, octets({0, 0, 0x22, 0xeb, 0x10, 0, 0, 0}) + packet), "other protocol") << "ERSPAN's version 1";
}

TEST_P(Wrapped, KeepsTheFixedHeaderWhereOptionsWereCut) {
  const Octets bytes = ethernetFrame(m_packet);
  const std::size_t tcpAt = bytes.size() - 100 - 32;
  CapturedFrame frame = frameOf(bytes);
  frame.bytes = frame.bytes.first(tcpAt + 25);
  const auto sample = decodePacket(frame);
  ASSERT_TRUE(sample);
  EXPECT_TRUE(sample->optionsAreCut);
  EXPECT_THAT(sample->options, testing::ElementsAreArray(octets({1, 1, 8, 10, 0})));
  EXPECT_EQ(sample->payloadBytes, 100U);
  EXPECT_EQ(sample->window, 4096U);
}

TEST_P(Wrapped, ReportsEveryFrameShorterThanTheFixedHeaderAsTruncated) {
  const Octets bytes = ethernetFrame(m_packet);
  const std::size_t tcpAt = bytes.size() - 100 - 32;
  for (std::size_t kept = 0; kept < tcpAt + 20; ++kept) EXPECT_EQ(decodedCut(bytes, kept), "cut") << kept;
}

TEST_P(Wrapped, TakesThePayloadOfAGsoAggregateFromTheWireLength) {
  // Larger than an IP header can say: segmentation offload writes 0.
  IpShape aggregate;
  aggregate.length = 0;
  const Octets bytes = ethernetFrame(ipPacket(m_segment, aggregate));
  CapturedFrame frame = frameOf(bytes);
  frame.wireBytes = static_cast<std::uint32_t>(bytes.size()) - 100 + 180'000;
  const auto sample = decodePacket(frame);
  ASSERT_TRUE(sample);
  EXPECT_EQ(sample->payloadBytes, 180'000U);
}

TEST(PacketDecoder, PassesIpv4Options) {
  IpShape shape;
  shape.options = octets({7, 7, 4, 0, 0, 0, 0, 0});
  EXPECT_EQ(decoded(ethernetFrame(ipPacket(exampleSegment(), shape))),
            decoded(ethernetFrame(ipPacket(exampleSegment()))));
}

TEST(PacketDecoder, RecognizesFragments) {
  IpShape first;
  first.fragment = 0x2000;
  const std::string whole = decoded(ethernetFrame(ipPacket(exampleSegment())));
  EXPECT_EQ(decoded(ethernetFrame(ipPacket(exampleSegment(), first))), whole + " first fragment");
  IpShape later;
  later.fragment = 0x2000 | 185;
  EXPECT_EQ(decoded(ethernetFrame(ipPacket(exampleSegment(), later))), "fragment");
  later.fragment = 185;
  EXPECT_EQ(decoded(ethernetFrame(ipPacket(exampleSegment(), later))), "fragment");
}

class Ipv6Headers : public testing::Test {
protected:
  Ipv6Headers() {
    m_segment.source = endpointAt("2001:db8::1", 40000);
    m_segment.destination = endpointAt("2001:db8::2", 443);
  }
  std::string behind(std::uint8_t first, const Octets& headers) {
    IpShape shape;
    shape.protocol = first;
    shape.options = headers;
    return decoded(ipPacket(m_segment, shape), LinkType::rawIp);
  }

  SegmentText m_segment = exampleSegment();
};

TEST_F(Ipv6Headers, ArePassed) {
  const std::string plain = decoded(ipPacket(m_segment), LinkType::rawIp);
  const Octets options = octets({6, 0, 1, 4, 0, 0, 0, 0});
  EXPECT_EQ(behind(0, options), plain);
  EXPECT_EQ(behind(60, octets({6, 1}) + Octets(14)), plain);
  EXPECT_EQ(behind(43, options), plain);
  EXPECT_EQ(behind(0, octets({60, 0, 1, 4, 0, 0, 0, 0}) + options), plain);
  // Counted in words of 4 bytes, unlike the others.
  EXPECT_EQ(behind(51, octets({6, 4}) + Octets(22)), plain);
}

TEST_F(Ipv6Headers, ShowFragments) {
  const std::string plain = decoded(ipPacket(m_segment), LinkType::rawIp);
  EXPECT_EQ(behind(44, octets({6, 0, 0, 1, 0, 0, 0, 9})), plain + " first fragment");
  EXPECT_EQ(behind(44, octets({6, 0, 0x05, 0xa8, 0, 0, 0, 9})), "fragment");
  // A fragment of its own, as some translators send (RFC 6946).
  EXPECT_EQ(behind(44, octets({6, 0, 0, 0, 0, 0, 0, 9})), plain);
}

TEST_F(Ipv6Headers, EndSomewhere) {
  Octets chain;
  for (int i = 0; i < 40; ++i) chain = std::move(chain) + octets({60, 0, 1, 4, 0, 0, 0, 0});
  EXPECT_EQ(behind(60, chain), "malformed");
}

TEST(PacketDecoder, NamesOtherProtocolsThanTcp) {
  const SegmentText segment;
  IpShape udpShape;
  udpShape.protocol = 17;
  EXPECT_EQ(decoded(ethernetFrame(ipv4Packet(segment, udp(53, Octets(30)), udpShape))), "other protocol");
  EXPECT_EQ(decoded(ethernetFrame(0x0806, Octets(28))), "other protocol");
  EXPECT_EQ(decoded(ethernetFrame(38, octets({0x42, 0x42, 0x03}) + Octets(35))), "other protocol");
  EXPECT_EQ(decoded(octets({0, 0, 0, 99}) + ipPacket(segment), LinkType::bsdLoopback), "other protocol");
  EXPECT_EQ(decoded(ipPacket(segment), static_cast<LinkType>(147)), "unknown link type");
}

TEST(PacketDecoder, RefusesContradictions) {
  const SegmentText segment;
  const Octets good = ipPacket(segment);
  const auto with = [&good](std::size_t at, unsigned value) {
    Octets changed = good;
    changed[at] = static_cast<std::byte>(value);
    return decoded(changed, LinkType::rawIp);
  };
  ASSERT_THAT(decoded(good, LinkType::rawIp), testing::HasSubstr("seq 1000"));
  EXPECT_EQ(with(0, 0x35), "malformed");   // IP version 3
  EXPECT_EQ(with(0, 0x44), "malformed");   // a header of 16 bytes
  EXPECT_EQ(with(3, 19), "malformed");     // a packet shorter than its header
  EXPECT_EQ(with(3, 39), "malformed");     // no room for the TCP header
  EXPECT_EQ(with(32, 0x40), "malformed");  // a TCP header of 16 bytes
  EXPECT_EQ(with(32, 0x60), "malformed");  // options behind the packet's end
  EXPECT_EQ(decoded({}), "malformed");
}

TEST(PacketDecoder, NeedsATime) {
  const Octets bytes = ethernetFrame(ipPacket(exampleSegment()));
  CapturedFrame frame = frameOf(bytes);
  frame.time.reset();
  EXPECT_EQ(textOf(decodePacket(frame)), "without time");
}

}  // namespace
}  // namespace tcpscope
