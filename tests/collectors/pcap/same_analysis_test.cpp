// What must not change what a capture shows of its connections: how the file is written, what the packets stand in, in
// which pieces the bytes come, and how often each packet was seen.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "collectors/pcap/frame_rest.h"
#include "collectors/pcap/link_layer.h"
#include "core/present/json/capture_document.h"
#include "core/session/capture/capture_analysis.h"
#include "tests/support/built_paths.h"
#include "tests/support/capture_bytes.h"
#include "tests/support/capture_text.h"

namespace tcpscope {
namespace {

using namespace test;
using nlohmann::json;

constexpr const char* kCaptures[] = {"fast-retransmission.pcap", "timeout-retransmission.pcap",
                                     "composite-retransmissions.pcap", "ndt-download-headers.pcap"};

/// IP packets, without what they stand in.
std::vector<RecordedFrame> packetsOf(const std::string& name) {
  std::vector<RecordedFrame> packets;
  auto source = openFile(testData() / "captures" / name);
  if (!source) return packets;
  auto reader = CaptureReader::open(std::move(*source));
  if (!reader) return packets;
  while (const CaptureItem item = (*reader)->next()) {
    if (item.frame == nullptr || !item.frame->time) continue;
    const auto ip = findIp(item.frame->linkType, FrameRest(item.frame->bytes, item.frame->wireBytes));
    if (!ip) continue;
    const auto bytes = ip->bytes(0, ip->captured());
    packets.push_back({*item.frame->time, {bytes.begin(), bytes.end()}, static_cast<std::uint32_t>(ip->onWire())});
  }
  return packets;
}

template <class Wrap>
std::vector<RecordedFrame> wrapped(std::vector<RecordedFrame> packets, Wrap wrap) {
  for (RecordedFrame& packet : packets) {
    const std::size_t bare = packet.bytes.size();
    packet.bytes = wrap(packet.bytes);
    *packet.wireBytes += static_cast<std::uint32_t>(packet.bytes.size() - bare);
  }
  return packets;
}

std::vector<RecordedFrame> inEthernet(const std::vector<RecordedFrame>& packets) {
  return wrapped(packets, [](const Octets& ip) { return ethernetFrame(ip); });
}

/// Of all connections, as documents have them.
json analysisOf(const Octets& file, std::size_t chunk = std::size_t{1} << 20) {
  auto reader = CaptureReader::open(std::make_unique<MemorySource>(file, chunk));
  if (!reader) return {};
  CaptureAnalysis analysis;
  PacketDecoder decoder;
  PacketSample packet;
  while (const CaptureItem item = (*reader)->next()) {
    if (item.frame == nullptr) continue;
    if (!decoder.decode(packet, *item.frame)) analysis.take(packet);
  }
  CaptureDocumentPieces pieces;
  std::string text = pieces.begin({CapturedFile()});
  for (std::size_t index = 0; index < analysis.connectionCount(); ++index) {
    text += pieces.connection(captureConnectionPiece(analysis.connection(index), 0));
  }
  return json::parse(text + pieces.end()).at("connections");
}

json analysisOf(const std::vector<RecordedFrame>& packets) {
  PcapShape raw;
  raw.linkType = 101;
  return analysisOf(pcapFile(packets, raw));
}

class SameAnalysis : public ::testing::TestWithParam<const char*> {
protected:
  void SetUp() override {
    ASSERT_GT(packets.size(), 3U);
    ASSERT_FALSE(expected.empty());
  }
  std::vector<RecordedFrame> packets = packetsOf(GetParam());
  json expected = analysisOf(packets);
};

TEST_P(SameAnalysis, InEveryByteOrderAndWithEveryClock) {
  const std::vector<RecordedFrame> frames = inEthernet(packets);
  for (const bool isBigEndian : {false, true}) {
    for (const bool hasNanoseconds : {false, true}) {
      EXPECT_EQ(analysisOf(pcapFile(frames, {isBigEndian, hasNanoseconds, 1})), expected);
    }
    for (const int resolution : {6, 7, 9}) {
      InterfaceShape shape;
      shape.resolution = static_cast<std::uint8_t>(resolution);
      EXPECT_EQ(analysisOf(pcapngFile(frames, shape, isBigEndian)), expected) << resolution;
    }
  }
}

std::vector<RecordedFrame> behindItself(const std::vector<RecordedFrame>& frames, int copies) {
  std::vector<RecordedFrame> all;
  for (int copy = 0; copy < copies; ++copy) all.insert(all.end(), frames.begin(), frames.end());
  return all;
}

TEST_P(SameAnalysis, AppendedToItselfAtAnyLength) {
  for (const std::size_t length : {std::size_t{2}, std::size_t{31}, std::size_t{33}, packets.size()}) {
    const auto end = packets.begin() + static_cast<std::ptrdiff_t>(std::min(length, packets.size()));
    const std::vector<RecordedFrame> cut(packets.begin(), end);
    for (const int copies : {2, 3}) EXPECT_EQ(analysisOf(behindItself(cut, copies)), analysisOf(cut)) << cut.size();
  }
}

/// Packets have other numbers in another file.
json withoutPacketNumbers(const json& connections) {
  const json flat = connections.flatten();
  json kept = json::object();
  for (const auto& [key, value] : flat.items()) {
    if (!key.ends_with("_packet")) kept[key] = value;
  }
  return kept;
}

TEST_P(SameAnalysis, AppendedToItsOwnBeginning) {
  const std::vector<RecordedFrame> half(packets.begin(),
                                        packets.begin() + static_cast<std::ptrdiff_t>(packets.size() / 2));
  std::vector<RecordedFrame> both = half;
  both.insert(both.end(), packets.begin(), packets.end());
  EXPECT_EQ(withoutPacketNumbers(analysisOf(both)), withoutPacketNumbers(expected));
}

TEST_P(SameAnalysis, BehindEveryHeader) {
  const auto inFile = [&](std::uint32_t linkType, auto wrap) {
    PcapShape shape;
    shape.linkType = linkType;
    return analysisOf(pcapFile(wrapped(packets, wrap), shape));
  };
  EXPECT_EQ(inFile(1, [](const Octets& ip) { return ethernetFrame(ip); }), expected);
  EXPECT_EQ(inFile(1, [](const Octets& ip) { return ethernetFrame(0x8100, vlanTag(7, etherTypeOf(ip), ip)); }),
            expected);
  EXPECT_EQ(inFile(1,
                   [](const Octets& ip) {
                     return ethernetFrame(0x88a8, vlanTag(5, 0x8100, vlanTag(7, etherTypeOf(ip), ip)));
                   }),
            expected);
  EXPECT_EQ(inFile(113, [](const Octets& ip) { return linuxCooked(etherTypeOf(ip), ip); }), expected);
  EXPECT_EQ(inFile(276, [](const Octets& ip) { return linuxCooked2(etherTypeOf(ip), ip); }), expected);
  EXPECT_EQ(inFile(9, [](const Octets& ip) { return ppp(ip); }), expected);
  EXPECT_EQ(inFile(1, [](const Octets& ip) { return ethernetFrame(0x8847, mplsLabel(16, true, ip)); }), expected);
}

TEST_P(SameAnalysis, InWhateverPiecesTheBytesCome) {
  const Octets file = pcapngFile(inEthernet(packets));
  for (const std::size_t chunk : {1U, 13U, 4096U}) EXPECT_EQ(analysisOf(file, chunk), expected) << chunk;
}

/// As another interface of the same host sees it, one hop further.
RecordedFrame passedOn(RecordedFrame packet) {
  const bool isVersion4 = std::to_integer<unsigned>(packet.bytes[0]) >> 4 == 4;
  std::byte& hops = packet.bytes.at(isVersion4 ? 8 : 7);
  hops = static_cast<std::byte>(std::to_integer<unsigned>(hops) - 1);
  return packet;
}

/// Takes the numbers of copies out of the connections, and gives their sum. Behind copies, positions in the file
/// differ.
std::uint64_t takeCopies(json& connections) {
  std::uint64_t copies = 0;
  for (json& connection : connections) {
    for (json& direction : connection.at("directions")) {
      copies += direction.value("copied_packets", std::uint64_t{0});
      direction.erase("copied_packets");
      if (direction.contains("exchanges")) direction.at("exchanges").erase("slowest");
    }
  }
  return copies;
}

TEST_P(SameAnalysis, WithEachPacketSeenTwice) {
  for (const std::size_t bunch : {1U, 4U}) {
    std::vector<RecordedFrame> twice;
    for (std::size_t begin = 0; begin < packets.size(); begin += bunch) {
      const std::size_t end = std::min(begin + bunch, packets.size());
      for (std::size_t index = begin; index < end; ++index) twice.push_back(packets[index]);
      for (std::size_t index = begin; index < end; ++index) twice.push_back(passedOn(packets[index]));
    }
    json analysis = analysisOf(twice);
    json once = expected;
    const std::uint64_t hadCopies = takeCopies(once);
    EXPECT_EQ(takeCopies(analysis), packets.size() + hadCopies) << bunch;
    EXPECT_EQ(analysis, once) << bunch;
  }
}

/// What of a direction's figures rests on its own packets alone.
json ownFigures(const json& direction) {
  json figures;
  for (const char* key : {"packets", "data_packets", "payload_bytes", "unique_bytes", "syns", "fins", "resets"}) {
    figures[key] = direction.at(key);
  }
  return figures;
}

TEST_P(SameAnalysis, OfOneDirectionWithoutTheOther) {
  std::vector<RecordedFrame> half;
  const auto sourceOf = [](const RecordedFrame& packet) {
    const bool isVersion4 = std::to_integer<unsigned>(packet.bytes[0]) >> 4 == 4;
    const auto begin = packet.bytes.begin() + (isVersion4 ? 12 : 8);
    return Octets(begin, begin + (isVersion4 ? 4 : 16));
  };
  const Octets first = sourceOf(packets.front());
  for (const RecordedFrame& packet : packets) {
    if (sourceOf(packet) == first) half.push_back(packet);
  }
  const json analysis = analysisOf(half);
  ASSERT_EQ(analysis.size(), expected.size());
  for (std::size_t index = 0; index < analysis.size(); ++index) {
    const bool isSame = analysis[index].at("local") == expected[index].at("local");
    const json& whole = expected[index].at("directions");
    const json& seen = analysis[index].at("directions");
    for (const std::size_t direction : {0U, 1U}) {
      if (seen[direction].at("packets") == 0) continue;
      EXPECT_EQ(ownFigures(seen[direction]), ownFigures(whole[isSame ? direction : 1 - direction]));
      EXPECT_FALSE(seen[direction].contains("rtt"));
      EXPECT_FALSE(seen[direction].contains("max_in_flight_bytes") && !seen[direction].contains("options"));
    }
  }
}

TEST_P(SameAnalysis, OfTheStreamWhereTimeRunsBackwards) {
  std::vector<RecordedFrame> stepped = packets;
  for (std::size_t index = 3; index < stepped.size(); index += 7)
    stepped[index].time = stepped[index].time - Milliseconds(900);
  const json analysis = analysisOf(stepped);
  ASSERT_EQ(analysis.size(), expected.size());
  for (std::size_t index = 0; index < analysis.size(); ++index) {
    for (const std::size_t direction : {0U, 1U}) {
      EXPECT_EQ(ownFigures(analysis[index].at("directions")[direction]),
                ownFigures(expected[index].at("directions")[direction]));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Everywhere, SameAnalysis, ::testing::ValuesIn(kCaptures), [](const auto& each) {
  std::string name = each.param;
  std::replace_if(
      name.begin(), name.end(), [](char letter) { return std::isalnum(letter) == 0; }, '_');
  return name;
});

}  // namespace
}  // namespace tcpscope
