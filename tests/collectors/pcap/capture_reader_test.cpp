#include "collectors/pcap/capture_reader.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "collectors/trace/trace_frame.h"
#include "tests/support/capture_bytes.h"
#include "tests/support/capture_text.h"

namespace tcpscope {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::ElementsAreArray;

WallTime at(std::int64_t microseconds) {
  return WallTime::fromNanoseconds(1'700'000'000'000'000'000 + microseconds * 1000);
}

/// A short conversation, as IP packets; the last one is not TCP.
std::vector<RecordedFrame> conversation() {
  SegmentText request;
  request.payloadBytes = 300;
  SegmentText answer;
  std::swap(answer.source, answer.destination);
  answer.options = octets({1, 1, 8, 10, 0, 0, 0, 1, 0, 0, 0, 2});
  answer.acknowledgment = 1300;
  IpShape datagram;
  datagram.protocol = 17;
  return {{at(10), ipPacket(request)},
          {at(2'500'021), ipPacket(answer)},
          {at(2'500'021), ipv4Packet({}, udp(53, {}), datagram)}};
}

std::vector<RecordedFrame> framed(Octets (*frame)(const Octets& packet)) {
  std::vector<RecordedFrame> frames = conversation();
  for (RecordedFrame& each : frames) each.bytes = frame(each.bytes);
  return frames;
}

Octets inEthernet(const Octets& packet) {
  return ethernetFrame(packet);
}
Octets inVlan(const Octets& packet) {
  return ethernetFrame(0x8100, vlanTag(7, etherTypeOf(packet), packet));
}
Octets inLinuxCooked(const Octets& packet) {
  return linuxCooked(etherTypeOf(packet), packet);
}

std::vector<std::string> expectedLines() {
  return {
      "1700000000.000010000 #0 if0 192.0.2.1:40000 > 198.51.100.7:443 seq 1000 ack 2000 flags 10 win 501 len 300 ecn "
      "0 hops 64 options ",
      "1700000002.500021000 #1 if0 198.51.100.7:443 > 192.0.2.1:40000 seq 1000 ack 1300 flags 10 win 501 len 0 ecn 0 "
      "hops 64 options 0101080a0000000100000002",
      "other protocol"};
}

Octets gzipped(const Octets& plain) {
  z_stream stream{};
  if (deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) return {};
  Octets packed(deflateBound(&stream, plain.size()));
  Octets from = plain;
  stream.next_in = reinterpret_cast<Bytef*>(from.data());
  stream.avail_in = static_cast<uInt>(from.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

Octets zstdPacked(const Octets& plain) {
  Octets packed(ZSTD_compressBound(plain.size()));
  packed.resize(ZSTD_compress(packed.data(), packed.size(), plain.data(), plain.size(), 3));
  return packed;
}

std::string frameText(const CapturedFrame& frame) {
  const auto* const bytes = reinterpret_cast<const char*>(frame.bytes.data());
  return fmt::format("#{} {} {} ", frame.number, frame.time ? frame.time->nanoseconds() : 0, frame.wireBytes) +
         std::string(bytes, frame.bytes.size());
}

Octets textOctets(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  return {bytes.begin(), bytes.end()};
}

TEST(CaptureReader, ReadsTheSameFramesFromEveryFormat) {
  PcapShape bigEndianNanoseconds;
  bigEndianNanoseconds.isBigEndian = true;
  bigEndianNanoseconds.hasNanoseconds = true;
  PcapShape cooked;
  cooked.linkType = 113;
  PcapShape raw;
  raw.linkType = 101;
  InterfaceShape nanoseconds;
  nanoseconds.resolution = 9;
  // The finest clocks that reach to our days.
  InterfaceShape tenths;
  tenths.resolution = 10;
  InterfaceShape binary;
  binary.resolution = 0x80 | 33;
  InterfaceShape fromAnotherEpoch;
  fromAnotherEpoch.offsetSeconds = 1'000'000'000;
  const std::vector<Octets> files = {
      pcapFile(framed(inEthernet)),
      pcapFile(framed(inEthernet), bigEndianNanoseconds),
      pcapFile(framed(inVlan)),
      pcapFile(framed(inLinuxCooked), cooked),
      pcapFile(conversation(), raw),
      pcapngFile(framed(inEthernet)),
      pcapngFile(framed(inEthernet), {}, true),
      pcapngFile(framed(inEthernet), nanoseconds),
      pcapngFile(framed(inEthernet), tenths),
      pcapngFile(framed(inEthernet), binary),
      pcapngFile(framed(inEthernet), fromAnotherEpoch),
  };
  for (const Octets& file : files) {
    for (const std::size_t chunk : {1U, 7U, 1U << 20U}) {
      EXPECT_EQ(readCapture(file, chunk).lines, expectedLines());
      EXPECT_EQ(readCapture(gzipped(file), chunk).lines, expectedLines());
      EXPECT_EQ(readCapture(zstdPacked(file), chunk).lines, expectedLines());
    }
  }
}

TEST(CaptureReader, UnpacksPiecesOneBehindTheOther) {
  const Octets file = pcapFile(framed(inEthernet));
  const Octets front(file.begin(), file.begin() + 100);
  const Octets back(file.begin() + 100, file.end());
  for (const std::size_t chunk : {1U, 1U << 20U}) {
    EXPECT_EQ(readCapture(gzipped(front) + gzipped(back), chunk).lines, expectedLines());
    EXPECT_EQ(readCapture(zstdPacked(front) + zstdPacked(back), chunk).lines, expectedLines());
    // gzip pads with zeros on tapes.
    EXPECT_EQ(readCapture(gzipped(file) + Octets(512), chunk).lines, expectedLines());
  }
}

/// All frames of a file: where they lie, and what stands in them.
std::vector<std::pair<PacketPlace, std::string>> framesOf(CaptureReader& reader) {
  std::vector<std::pair<PacketPlace, std::string>> frames;
  while (const CaptureItem item = reader.next()) {
    if (item.frame != nullptr) frames.emplace_back(item.frame->place(), frameText(*item.frame));
  }
  return frames;
}

TEST(CaptureReader, FindsAFrameAgainByItsPlaceInAnyOrder) {
  // More than a reader holds at a time.
  std::vector<RecordedFrame> many;
  for (int copy = 0; copy < 2'000; ++copy) {
    for (const RecordedFrame& frame : framed(inEthernet)) many.push_back(frame);
  }
  PcapngText withDrops;
  withDrops.interface();
  for (const RecordedFrame& frame : framed(inEthernet)) withDrops.packet(0, frame, 3).statistics(0, 1, 0);
  for (const Octets& file : {pcapFile(many), pcapngFile(many), withDrops.bytes()}) {
    auto reader = CaptureReader::open(std::make_unique<MemorySource>(file));
    ASSERT_TRUE(reader);
    const auto frames = framesOf(**reader);
    ASSERT_GE(frames.size(), 3U);
    const std::uint64_t counted = (*reader)->counts().frames;
    const auto expectAt = [&](std::size_t index) {
      const CapturedFrame* const frame = (*reader)->frameAt(frames[index].first);
      ASSERT_NE(frame, nullptr) << index;
      EXPECT_EQ(frameText(*frame), frames[index].second);
    };
    for (std::size_t index = 0; index < frames.size(); index += 7) expectAt(index);
    for (std::size_t index = frames.size(); index-- > 0;) expectAt(index);
    EXPECT_EQ((*reader)->counts().frames, counted);
  }
}

TEST(CaptureReader, FindsNoFrameAgainWhereTheOrderIsFixedOrTheMeaningChanges) {
  const Octets file = pcapFile(framed(inEthernet));
  PcapngText sections;
  sections.interface().packet(0, framed(inEthernet).front());
  sections.section(true).interface().packet(0, framed(inEthernet).back());
  for (const Octets& other : {gzipped(file), zstdPacked(file), sections.bytes()}) {
    auto reader = CaptureReader::open(std::make_unique<MemorySource>(other));
    ASSERT_TRUE(reader);
    const auto frames = framesOf(**reader);
    ASSERT_FALSE(frames.empty());
    EXPECT_EQ((*reader)->frameAt(frames.front().first), nullptr);
  }
}

TEST(CaptureReader, FindsNoFrameWhereThereIsAnotherOne) {
  const Octets file = pcapFile(framed(inEthernet));
  auto reader = CaptureReader::open(std::make_unique<MemorySource>(file));
  ASSERT_TRUE(reader);
  const auto frames = framesOf(**reader);
  EXPECT_EQ((*reader)->frameAt({file.size(), 3}), nullptr);
  EXPECT_EQ((*reader)->frameAt({file.size() + 1'000'000, 3}), nullptr);
  // In the middle of a record the bytes say something else; whatever that is, it is not taken for more than a frame.
  for (std::uint64_t offset = 0; offset < file.size(); ++offset) (*reader)->frameAt({offset, 1});
  EXPECT_NE((*reader)->frameAt(frames.back().first), nullptr);
}

/// Where the frames of a file end.
std::vector<std::size_t> pcapBorders(const std::vector<RecordedFrame>& frames) {
  std::vector<std::size_t> borders = {24};
  for (const RecordedFrame& frame : frames) borders.push_back(borders.back() + 16 + frame.bytes.size());
  return borders;
}

TEST(CaptureReader, ReadsEverythingBeforeATruncationAndReportsItsOffset) {
  const std::vector<RecordedFrame> frames = framed(inEthernet);
  const Octets file = pcapFile(frames);
  const std::vector<std::size_t> borders = pcapBorders(frames);
  for (std::size_t size = 4; size < file.size(); ++size) {
    const CaptureText text = readCapture(std::span(file).first(size), 13);
    std::vector<std::string> expected;
    for (std::size_t i = 1; i < borders.size() && borders[i] <= size; ++i) expected.push_back(expectedLines()[i - 1]);
    if (std::find(borders.begin(), borders.end(), size) == borders.end()) {
      expected.push_back(fmt::format("cut at {}", size));
    }
    EXPECT_EQ(text.lines, expected) << size;
  }
}

TEST(CaptureReader, ReadsEverythingBeforeATruncationInCompressedBytes) {
  const Octets file = pcapFile(framed(inEthernet));
  for (const Octets& packed : {gzipped(file), zstdPacked(file)}) {
    for (std::size_t size = 4; size < packed.size(); ++size) {
      const std::vector<std::string> lines = readCapture(std::span(packed).first(size)).lines;
      ASSERT_FALSE(lines.empty());
      EXPECT_THAT(lines.back(), testing::StartsWith("cut at "));
      const std::vector<std::string> all = expectedLines();
      EXPECT_TRUE(std::equal(lines.begin(), lines.end() - 1, all.begin())) << size;
      EXPECT_EQ(readCapture(std::span(packed).first(size), 1).lines, lines);
    }
  }
}

TEST(CaptureReader, NamesDamageOfPackedBytes) {
  const Octets file = pcapFile(framed(inEthernet));
  Octets gzip = gzipped(file);
  gzip[gzip.size() - 6] ^= std::byte{0xff};  // in the checksum
  EXPECT_THAT(readCapture(gzip).lines.back(), testing::StartsWith("damaged compression at "));
  Octets zstd = zstdPacked(file);
  zstd[12] ^= std::byte{0xff};
  EXPECT_THAT(readCapture(zstd).lines.back(), testing::StartsWith("damaged compression at "));
}

TEST(CaptureReader, TheSameIsLostByDamageHoweverPackedBytesArrive) {
  // A zstd frame of 300 bytes as it says itself, with a block of 1,000 that are not packed.
  Octets packed = octets({0x28, 0xb5, 0x2f, 0xfd, 0x40, 0x58, 0x2c, 0x00, 0x40, 0x1f, 0x00});
  packed.resize(packed.size() + 1000, std::byte{0x2e});
  const std::vector<std::string> lines = readCapture(packed).lines;
  for (const std::size_t chunk : {1U, 3U, 200U, 900U}) EXPECT_EQ(readCapture(packed, chunk).lines, lines) << chunk;
}

TEST(CaptureReader, RefusesALyingLength) {
  const std::vector<RecordedFrame> frames = framed(inEthernet);
  Octets file = pcapFile(frames);
  const std::size_t second = pcapBorders(frames)[1];
  file[second + 11] = std::byte{0x7f};  // 2 GB were kept of it
  EXPECT_THAT(readCapture(file).lines, ElementsAre(expectedLines()[0], fmt::format("lying length at {}", second)));
  EXPECT_EQ(readCapture(file, 1).lines, readCapture(file).lines);
}

TEST(CaptureReader, HandsOnThatTheSystemFailed) {
  const std::vector<RecordedFrame> frames = framed(inEthernet);
  const Octets file = pcapFile(frames);
  for (const std::size_t size : {pcapBorders(frames)[1], pcapBorders(frames)[1] + 5}) {
    const auto lines = readCapture(std::make_unique<MemorySource>(std::span(file).first(size), 7, EIO)).lines;
    EXPECT_THAT(lines, ElementsAre(expectedLines()[0], fmt::format("read failed at {}, errno {}", size, EIO)));
  }
  EXPECT_THAT(readCapture(std::make_unique<MemorySource>(std::span(file).first(2), 7, EIO)).lines,
              ElementsAre(fmt::format("read failed at 2, errno {}", EIO)));
}

TEST(CaptureReader, CountsTimeThatRunsBackwards) {
  std::vector<RecordedFrame> frames = framed(inEthernet);
  frames[1].time = at(9);
  EXPECT_EQ(readCapture(pcapFile(frames)).counts.backwardSteps, 1U);
  EXPECT_EQ(readCapture(pcapFile(framed(inEthernet))).counts.backwardSteps, 0U);
}

TEST(CaptureReader, ReportsItsProgress) {
  const Octets file = pcapFile(framed(inEthernet));
  auto reader = CaptureReader::open(std::make_unique<MemorySource>(file, 64));
  ASSERT_TRUE(reader);
  EXPECT_EQ((*reader)->sourceSize(), file.size());
  EXPECT_LT((*reader)->sourceBytesRead(), file.size());
  while ((*reader)->next()) {
  }
  EXPECT_EQ((*reader)->sourceBytesRead(), file.size());
  EXPECT_EQ((*reader)->format(), FileFormat::pcap);
}

TEST(CaptureReader, ReadsFramesFromAPipeWhileItIsWritten) {
  const std::vector<RecordedFrame> frames = framed(inEthernet);
  const Octets file = pcapFile(frames);
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
  const std::size_t firstFrames = pcapBorders(frames)[2];
  ASSERT_EQ(::write(ends[1], file.data(), firstFrames), static_cast<ssize_t>(firstFrames));
  auto reader = CaptureReader::open(descriptorSource(ends[0]));
  ASSERT_TRUE(reader);
  EXPECT_TRUE((*reader)->next());
  EXPECT_TRUE((*reader)->next());
  ::close(ends[1]);
  EXPECT_FALSE((*reader)->next());
}

TEST(CaptureReader, SaysWhyAFileCannotBeOpened) {
  const auto missing = openFile("/nowhere/at/all.pcap");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, CaptureFaultKind::openFailed);
  EXPECT_EQ(missing.error().errorNumber, ENOENT);
  auto folder = openFile("/");
  ASSERT_TRUE(folder);
  EXPECT_THAT(readCapture(std::move(*folder)).lines, ElementsAre(fmt::format("read failed at 0, errno {}", EISDIR)));
  EXPECT_THAT(readCapture(Octets()).lines, ElementsAre("empty at 0"));
}

TEST(CaptureReader, RefusesUndefinedVersions) {
  Octets old = pcapFile(framed(inEthernet));
  old[4] = std::byte{1};
  EXPECT_THAT(readCapture(old).lines, ElementsAre("unsupported version at 0"));
}

struct Other {
  FileFormat format;
  Octets bytes;
};

TEST(CaptureReader, NamesOtherFormats) {
  const Octets erf = octets({0, 0, 0, 0, 0x00, 0xf1, 0x53, 0x65, 2, 4, 0, 78, 0, 0, 0, 60}) + Octets(62);
  const std::vector<Other> others = {
      {FileFormat::snoop, textOctets("snoop") + octets({0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 4})},
      {FileFormat::networkMonitor, textOctets("GMBU") + Octets(60)},
      {FileFormat::erf, erf},
      {FileFormat::text, textOctets("12:00:01.5 IP 10.0.0.1.80 > 10.0.0.2.4000: Flags [S]\n")},
      {FileFormat::html, textOctets("\n<!DOCTYPE HTML><html><title>Not found</title>")},
      {FileFormat::json, textOctets("[{\"_index\": \"packets\"}]")},
      {FileFormat::xml, textOctets("<?xml version=\"1.0\"?><pdml/>")},
      {FileFormat::zip, textOctets("PK\x03\x04") + Octets(40)},
      {FileFormat::xz, octets({0xfd, '7', 'z', 'X', 'Z', 0, 0, 4}) + Octets(40)},
      {FileFormat::tar, Octets(257) + textOctets("ustar") + Octets(300)},
      {FileFormat::elf, octets({0x7f, 'E', 'L', 'F', 2, 1, 1}) + Octets(100)},
      {FileFormat::unknown, octets({0x91, 0x05, 0x88, 0x01, 0x02})},
      {FileFormat::text, textOctets("ab")},
  };
  for (const Other& other : others) {
    for (const std::size_t chunk : {1U, 1U << 20U}) {
      const auto reader = CaptureReader::open(std::make_unique<MemorySource>(other.bytes, chunk));
      ASSERT_FALSE(reader);
      EXPECT_EQ(reader.error().kind, CaptureFaultKind::otherFormat);
      EXPECT_EQ(reader.error().format, other.format);
    }
  }
  // Packed twice: unpacked once, and named.
  const auto twice = CaptureReader::open(std::make_unique<MemorySource>(gzipped(gzipped(pcapFile({})))));
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().format, FileFormat::gzip);
}

TEST(CaptureReader, NamesTheProgramsOwnRecording) {
  std::vector<std::byte> recording;
  appendFrame(recording, FrameKind::hello, {});
  const auto reader = CaptureReader::open(std::make_unique<MemorySource>(recording));
  ASSERT_FALSE(reader);
  EXPECT_EQ(reader.error().format, FileFormat::tcpscopeRecording);
}

}  // namespace
}  // namespace tcpscope
