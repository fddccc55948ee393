#include "collectors/pcap/pcapng_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/capture_bytes.h"
#include "tests/support/capture_text.h"

namespace tcpscope {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;

RecordedFrame frameAt(std::int64_t seconds, std::uint32_t sequence = 1) {
  SegmentText segment;
  segment.sequence = sequence;
  return {WallTime::fromNanoseconds(seconds * 1'000'000'000), ethernetFrame(ipPacket(segment))};
}

RecordedFrame rawFrameAt(std::int64_t seconds, std::uint32_t sequence = 1) {
  SegmentText segment;
  segment.sequence = sequence;
  return {WallTime::fromNanoseconds(seconds * 1'000'000'000), ipPacket(segment)};
}

InterfaceShape rawInterface() {
  InterfaceShape shape;
  shape.linkType = 101;
  shape.resolution = 9;
  return shape;
}

/// The same whether it arrives at once or byte by byte.
CaptureText read(const Octets& file) {
  const CaptureText text = readCapture(file);
  EXPECT_EQ(readCapture(file, 1).lines, text.lines);
  return text;
}

TEST(PcapngReader, GivesEachInterfaceItsLinkTypeAndClock) {
  PcapngText file;
  file.interface().interface(rawInterface());
  file.packet(0, frameAt(100, 1)).packet(1, rawFrameAt(101, 2)).packet(0, frameAt(102, 3));
  EXPECT_THAT(read(file.bytes()).lines,
              ElementsAre(testing::AllOf(HasSubstr("100.000000000 #0 if0"), HasSubstr("seq 1 ")),
                          testing::AllOf(HasSubstr("101.000000000 #1 if1"), HasSubstr("seq 2 ")),
                          testing::AllOf(HasSubstr("102.000000000 #2 if0"), HasSubstr("seq 3 "))));
}

TEST(PcapngReader, ReadsSectionsOfEitherByteOrder) {
  PcapngText file;
  file.interface().interface(rawInterface()).packet(1, rawFrameAt(100, 1));
  file.section(true).interface(rawInterface()).packet(0, rawFrameAt(101, 2));
  file.section(false).interface().packet(0, frameAt(102, 3));
  EXPECT_THAT(read(file.bytes()).lines, ElementsAre(HasSubstr("#0 if1 "), HasSubstr("#1 if2 "), HasSubstr("#2 if3 ")));
}

TEST(PcapngReader, ReadsTheOlderPacketBlocks) {
  InterfaceShape shape;
  shape.snapBytes = 60;
  RecordedFrame cut = frameAt(0, 7);
  cut.bytes = cut.bytes + Octets(100);
  cut.wireBytes = static_cast<std::uint32_t>(cut.bytes.size());
  cut.bytes.resize(60);
  PcapngText file;
  file.interface(shape).obsoletePacket(0, frameAt(100, 1)).simplePacket(cut);
  const CaptureText text = read(file.bytes());
  EXPECT_THAT(text.lines, ElementsAre(HasSubstr("100.000000000 #0 if0"), "without time"));
  EXPECT_EQ(text.counts.framesWithoutTime, 1U);
}

TEST(PcapngReader, ReportsLostPacketsWhereTheyWereLost) {
  PcapngText file;
  file.interface().packet(0, frameAt(100)).packet(0, frameAt(101), 12).obsoletePacket(0, frameAt(102), 3);
  file.statistics(0, 1, 2).statistics(0, 40, 2);
  file.section(false).interface().interface().statistics(1, 100, 0);
  const CaptureText text = read(file.bytes());
  EXPECT_THAT(text.lines, ElementsAre(HasSubstr("#0 "), testing::MatchesRegex("lost packets at [0-9]+, 12 packets"),
                                      HasSubstr("#1 "), testing::MatchesRegex("lost packets at [0-9]+, 3 packets"),
                                      HasSubstr("#2 ")));
  EXPECT_EQ(text.drops.betweenPackets, 15U);
  // Statistics count from the beginning of their interface: only the last of each is taken.
  EXPECT_EQ(text.drops.byStatistics, 142U);
  EXPECT_EQ(text.counts.frames, 3U);
  EXPECT_EQ(text.counts.refusedFrames, 0U);
}

TEST(PcapngReader, DoesNotKnowOfLossesWithoutStatistics) {
  EXPECT_EQ(read(pcapngFile({frameAt(100)})).drops.byStatistics, std::nullopt);
}

TEST(PcapngReader, PassesOverBlocksThatItDoesNotKnow) {
  PcapngText file;
  file.block(0x0bad, Octets(40)).interface().block(4, Octets(8)).packet(0, frameAt(100));
  file.block(0x80000001, Octets(3'000'000)).packet(0, frameAt(101)).block(1, Octets(2'000'000));
  file.packet(0, frameAt(102));
  EXPECT_THAT(read(file.bytes()).lines, ElementsAre(HasSubstr("#0 "), HasSubstr("#1 "), HasSubstr("#2 ")));
}

TEST(PcapngReader, LeavesOutPacketsThatDoNotFit) {
  PcapngText file;
  file.interface().packet(0, frameAt(100));
  const std::size_t second = file.bytes().size();
  file.packet(5, frameAt(101));
  const std::size_t third = file.bytes().size();
  file.block(6, file.number(0, 12) + file.number(5000, 4) + file.number(5000, 4) + Octets(60));
  const std::size_t fourth = file.bytes().size();
  file.block(6, Octets(2'000'000)).packet(0, frameAt(102));
  const CaptureText text = read(file.bytes());
  EXPECT_THAT(text.lines, ElementsAre(HasSubstr("#0 "), fmt::format("unknown interface at {}, 1 packets", second),
                                      fmt::format("lying length at {}, 1 packets", third),
                                      fmt::format("lying length at {}, 1 packets", fourth), HasSubstr("#4 ")));
  EXPECT_EQ(text.counts.refusedFrames, 3U);
}

TEST(PcapngReader, StopsAtALengthThatCannotBe) {
  PcapngText front;
  front.interface().packet(0, frameAt(100));
  const std::size_t at = front.bytes().size();
  struct Lengths {
    std::uint32_t inFront;
    std::uint32_t behind;
  };
  for (const Lengths lengths : {Lengths{0, 0}, Lengths{8, 8}, Lengths{22, 22}, Lengths{20, 24}, Lengths{20, 0}}) {
    for (const std::uint32_t type : {6U, 0x0badU}) {
      PcapngText file = front;
      file.block(type, Octets(8), lengths.inFront, lengths.behind).packet(0, frameAt(101));
      EXPECT_THAT(read(file.bytes()).lines, ElementsAre(HasSubstr("#0 "), fmt::format("lying length at {}", at)));
    }
  }
}

TEST(PcapngReader, ReadsEverythingBeforeATruncation) {
  PcapngText file;
  file.interface();
  std::vector<std::size_t> borders = {28, file.bytes().size()};
  std::vector<std::string> all;
  for (int i = 0; i < 3; ++i) {
    file.packet(0, frameAt(100 + i));
    borders.push_back(file.bytes().size());
  }
  all = readCapture(file.bytes()).lines;
  for (std::size_t size = 28; size < file.bytes().size(); ++size) {
    std::vector<std::string> expected;
    for (std::size_t i = 2; i < borders.size() && borders[i] <= size; ++i) expected.push_back(all[i - 2]);
    if (std::find(borders.begin(), borders.end(), size) == borders.end()) {
      expected.push_back(fmt::format("cut at {}", size));
    }
    EXPECT_EQ(readCapture(std::span(file.bytes()).first(size), 5).lines, expected) << size;
  }
  for (std::size_t size = 4; size < 28; ++size) {
    EXPECT_THAT(readCapture(std::span(file.bytes()).first(size)).lines, ElementsAre(fmt::format("cut at {}", size)));
  }
}

TEST(PcapngReader, RefusesAnUndefinedByteOrderOrVersion) {
  Octets order = pcapngFile({frameAt(100)});
  order[8] = std::byte{0};
  EXPECT_THAT(read(order).lines, ElementsAre("unsupported version at 0"));
  Octets version = pcapngFile({frameAt(100)});
  version[12] = std::byte{2};
  EXPECT_THAT(read(version).lines, ElementsAre("unsupported version at 0"));
}

TEST(InterfaceTime, CountsInPowersOfTenAndTwo) {
  const auto nanoseconds = [](std::uint64_t units, std::uint8_t resolution, std::int64_t offset = 0) {
    const auto time = interfaceTime(units, {resolution, offset});
    return time ? std::optional(time->nanoseconds()) : std::nullopt;
  };
  EXPECT_EQ(nanoseconds(1'500'000, 6), 1'500'000'000);
  EXPECT_EQ(nanoseconds(1'500'000'000, 9), 1'500'000'000);
  EXPECT_EQ(nanoseconds(1'500'000'000'999, 12), 1'500'000'000);
  EXPECT_EQ(nanoseconds(15, 1), 1'500'000'000);
  EXPECT_EQ(nanoseconds(15, 0), 15'000'000'000);
  EXPECT_EQ(nanoseconds(3, 0x80 | 1), 1'500'000'000);
  EXPECT_EQ(nanoseconds(std::uint64_t{3} << 61U, 0x80 | 62), 1'500'000'000);
  EXPECT_EQ(nanoseconds(1'500'000, 6, -1), 500'000'000);
  EXPECT_EQ(nanoseconds(12345, 0x7f), 0);
  EXPECT_EQ(nanoseconds(~std::uint64_t{0}, 0xff), 0);
  // Further away than clocks go.
  EXPECT_EQ(nanoseconds(~std::uint64_t{0}, 6), std::nullopt);
  EXPECT_EQ(nanoseconds(0, 6, std::numeric_limits<std::int64_t>::min()), std::nullopt);
}

}  // namespace
}  // namespace tcpscope
