// A connection that is read again by the places of its packets is the one that a pass over the whole file brings.
#include "app/session/connection_packets.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "collectors/pcap/packet_decoder.h"
#include "core/present/json/capture_document.h"
#include "tests/support/built_paths.h"

namespace tcpscope {
namespace {

/// A file after its first pass.
struct ReadFile {
  std::unique_ptr<CaptureReader> reader;
  CaptureAnalysis analysis;
  PacketPlaces places{std::size_t{64} << 20U};
  bool hasFragments = false;
};

std::unique_ptr<ReadFile> readOnce(const std::filesystem::path& path) {
  auto source = openFile(path);
  auto reader = source ? CaptureReader::open(std::move(*source)) : Unexpected<CaptureFault>(source.error());
  if (!reader) return nullptr;
  auto file = std::make_unique<ReadFile>();
  file->reader = std::move(*reader);
  file->analysis.correctOrder();
  PacketDecoder decoder;
  PacketSample sample;
  while (const CaptureItem item = file->reader->next()) {
    if (item.frame == nullptr || decoder.decode(sample, *item.frame)) continue;
    const FlowPacket packet = file->analysis.take(sample);
    if (packet.connection != nullptr) file->places.add(packet.index, item.frame->place());
  }
  file->analysis.finish();
  file->hasFragments = decoder.reassembledFragments() > 0;
  return file;
}

EndPair endsOf(const ReadFile& file, std::size_t index) {
  const CapturedEnds ends = file.analysis.ends(index);
  return EndPair(ends.initiator, ends.responder);
}

EndPair otherEnds() {
  return {{IpAddress::v4({192, 0, 2, 1}), 1}, {IpAddress::v4({192, 0, 2, 2}), 2}};
}

bool goOn(std::uint64_t /*packets*/) {
  return true;
}

std::string documentOf(const ConnectionPackets& packets) {
  return packets.captured ? captureConnectionPiece(packets.captured->analysis, 0).text : "nothing";
}

TEST(ConnectionPackets, AreTheSameByTheirPlacesAsFromTheWholeFile) {
  std::size_t compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test::testData() / "captures")) {
    const auto file = entry.is_regular_file() ? readOnce(entry.path()) : nullptr;
    if (!file || file->hasFragments) continue;
    for (std::size_t index = 0; index < file->analysis.connectionCount(); ++index) {
      const auto walk = file->places.of(static_cast<std::uint32_t>(index));
      const auto placed = readConnectionAt(*file->reader, walk, endsOf(*file, index), false, goOn);
      if (!placed) continue;
      const ConnectionInFile connection = ConnectionInFile::of(entry.path(), file->analysis, index);
      const ConnectionPackets whole = readConnection(connection, false, goOn);
      ASSERT_EQ(documentOf(*placed), documentOf(whole)) << entry.path() << " connection " << index;
      ASSERT_NE(placed->captured, nullptr);
      EXPECT_EQ(placed->captured->series.residentBytes(), whole.captured->series.residentBytes());
      EXPECT_EQ(placed->captured->series.firstTime(), whole.captured->series.firstTime());
      EXPECT_EQ(placed->captured->series.lastTime(), whole.captured->series.lastTime());
      EXPECT_EQ(placed->captured->initiator, whole.captured->initiator);
      ++compared;
    }
  }
  EXPECT_GT(compared, 10U);
}

TEST(ConnectionPackets, OfEachPacketTheConnectionIsFoundByAPassOverTheFile) {
  const auto path = test::testData() / "captures" / "fast-open.pcap";
  const auto file = readOnce(path);
  ASSERT_NE(file, nullptr);
  for (std::size_t index = 0; index < file->analysis.connectionCount(); ++index) {
    PacketPlaces::Walk places = file->places.of(static_cast<std::uint32_t>(index));
    for (PacketPlace place; places.next(place);) {
      EXPECT_EQ(findConnectionOf(path, file->analysis, place.number, [] { return true; }), index);
    }
  }
  EXPECT_EQ(findConnectionOf(path, file->analysis, 1'000'000, [] { return true; }), std::nullopt);
}

TEST(ConnectionPackets, AreNotReadByTheirPlacesWhereTheFileIsShorterByNow) {
  const auto path = std::filesystem::temp_directory_path() / ("shorter-" + std::to_string(getpid()) + ".pcap");
  std::filesystem::copy_file(test::testData() / "captures" / "fast-open.pcap", path);
  const auto file = readOnce(path);
  ASSERT_NE(file, nullptr);
  std::filesystem::resize_file(path, 100);
  EXPECT_FALSE(readConnectionAt(*file->reader, file->places.of(0), endsOf(*file, 0), false, goOn));
  std::filesystem::remove(path);
}

TEST(ConnectionPackets, AreNotThoseOfAnotherConnectionThatStandsThereByNow) {
  const auto path = std::filesystem::temp_directory_path() / ("other-" + std::to_string(getpid()) + ".pcap");
  std::filesystem::copy_file(test::testData() / "captures" / "fast-open.pcap", path);
  const auto file = readOnce(path);
  ASSERT_NE(file, nullptr);
  ASSERT_GE(file->analysis.connectionCount(), 2U);
  const auto walk = file->places.of(0);
  EXPECT_TRUE(readConnectionAt(*file->reader, walk, endsOf(*file, 0), false, goOn));
  EXPECT_FALSE(readConnectionAt(*file->reader, walk, otherEnds(), false, goOn));
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace tcpscope
