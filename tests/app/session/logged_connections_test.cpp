// Connections of which only their packets are kept are in the end what they are when followed from the start, to the
// byte.
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <vector>

#include "collectors/pcap/capture_reader.h"
#include "collectors/pcap/packet_decoder.h"
#include "core/present/json/capture_document.h"
#include "core/session/capture/capture_analysis.h"
#include "tests/support/built_paths.h"

namespace tcpscope {
namespace {

constexpr std::array<std::uint16_t, 3> kStrangers{1, 2, 3};

/// A packet of a connection that is not the capture's: all others may be packed.
PacketSample strangersPacket(WallTime time, std::uint16_t port) {
  PacketSample packet;
  packet.time = time;
  packet.source = {IpAddress::v4({192, 0, 2, 1}), port};
  packet.destination = {IpAddress::v4({192, 0, 2, 2}), 9};
  packet.flags.bits = 0x10;
  return packet;
}

/// Of all connections, with strangers' packets between every two of the capture.
std::string documentOf(const std::filesystem::path& path, bool keepsLogs) {
  auto source = openFile(path);
  auto reader = source ? CaptureReader::open(std::move(*source)) : Unexpected<CaptureFault>(source.error());
  if (!reader) return {};
  CaptureAnalysis analysis;
  analysis.correctOrder();
  if (keepsLogs) analysis.keepLogs(1);
  PacketDecoder decoder;
  PacketSample sample;
  while (const CaptureItem item = (*reader)->next()) {
    if (item.frame == nullptr || decoder.decode(sample, *item.frame)) continue;
    analysis.take(sample);
    for (const std::uint16_t port : kStrangers) analysis.take(strangersPacket(sample.time, port));
  }
  analysis.finish();
  CaptureDocumentPieces pieces;
  std::string text = pieces.begin({CapturedFile()});
  for (std::size_t index = 0; index < analysis.connectionCount(); ++index) {
    text += pieces.connection(captureConnectionPiece(analysis.connection(index), 0));
  }
  return text + pieces.end();
}

std::vector<std::filesystem::path> capturesOfTests() {
  std::vector<std::filesystem::path> found;
  for (const auto& folder : {test::testData() / "captures", test::testData().parent_path() / "golden"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      const auto kind = entry.path().extension();
      if (kind == ".pcap" || kind == ".pcapng") found.push_back(entry.path());
    }
  }
  return found;
}

TEST(LoggedConnections, AreTheSameAsThoseThatAreFollowed) {
  ASSERT_GT(capturesOfTests().size(), 20U);
  for (const std::filesystem::path& capture : capturesOfTests()) {
    EXPECT_EQ(documentOf(capture, true), documentOf(capture, false)) << capture;
  }
}

}  // namespace
}  // namespace tcpscope
