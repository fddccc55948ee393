// Segments that IP cut into fragments, from frames to one segment.
#include "collectors/pcap/fragment_reassembly.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/capture_text.h"

namespace tcpscope {
namespace {

using namespace test;
using testing::ElementsAre;

/// Frames one after the other, a millisecond apart, and what each gave.
class FragmentsTest : public testing::TestWithParam<bool> {
protected:
  static SegmentText segment(std::uint32_t sequence, std::size_t payloadBytes = 2000) {
    SegmentText text;
    if (GetParam()) {
      text.source = endpointAt("2001:db8::1", 40000);
      text.destination = endpointAt("2001:db8::2", 443);
    }
    text.sequence = sequence;
    text.options = octets({1, 1, 8, 10, 0, 0, 0, 1, 0, 0, 0, 2});
    text.payloadBytes = payloadBytes;
    return text;
  }
  /// "kept", or sequence number and payload of the segment.
  std::string take(const Octets& packet) {
    CapturedFrame frame;
    frame.linkType = LinkType::rawIp;
    frame.number = m_frames;
    frame.time = WallTime::fromNanoseconds(static_cast<std::int64_t>(++m_frames) * 1'000'000);
    frame.wireBytes = static_cast<std::uint32_t>(packet.size());
    frame.bytes = packet;
    if (const auto reason = m_decoder.decode(m_sample, frame)) {
      ++m_without;
      return textOf(*reason);
    }
    return fmt::format("{}+{}", m_sample.sequence, m_sample.payloadBytes);
  }
  std::vector<std::string> takeAll(const std::vector<Octets>& packets) {
    std::vector<std::string> taken;
    for (const Octets& packet : packets) taken.push_back(take(packet));
    return taken;
  }
  /// That are part of no segment.
  [[nodiscard]] std::uint64_t left() const { return m_without - m_decoder.reassembledFragments(); }

  PacketDecoder m_decoder;
  PacketSample m_sample;
  std::uint64_t m_frames = 0;
  std::uint64_t m_without = 0;
};

INSTANTIATE_TEST_SUITE_P(Fragments, FragmentsTest, testing::Bool(),
                         [](const auto& each) { return each.param ? "Ipv6" : "Ipv4"; });

TEST_P(FragmentsTest, AreOneSegmentWhenTheLastOneCame) {
  EXPECT_THAT(takeAll(ipFragments(segment(1000), 800, 7)), ElementsAre("fragment", "fragment", "1000+2000"));
  EXPECT_EQ(m_sample.number, 2U);
  EXPECT_EQ(m_sample.time.nanoseconds(), 3'000'000);
  EXPECT_FALSE(m_sample.isFirstFragment);
  EXPECT_EQ(m_sample.source.port, 40000);
  EXPECT_THAT(m_sample.options, testing::ElementsAreArray(segment(1000).options));
  EXPECT_EQ(left(), 0U);
}

TEST_P(FragmentsTest, AreOneSegmentInAnyOrder) {
  std::vector<Octets> fragments = ipFragments(segment(1000), 800, 7);
  std::reverse(fragments.begin(), fragments.end());
  EXPECT_THAT(takeAll(fragments), ElementsAre("fragment", "fragment", "1000+2000"));
  EXPECT_THAT(m_sample.options, testing::ElementsAreArray(segment(1000).options));
  EXPECT_EQ(m_sample.source.port, 40000);
}

TEST_P(FragmentsTest, OfSeveralPacketsMayMix) {
  const auto one = ipFragments(segment(1000), 1200, 7);
  const auto other = ipFragments(segment(3000), 1200, 8);
  EXPECT_THAT(takeAll({one[0], other[0], other[1], one[1]}),
              ElementsAre("fragment", "fragment", "3000+2000", "1000+2000"));
}

TEST_P(FragmentsTest, ThatAreMissingLeaveTheOthersOut) {
  const auto one = ipFragments(segment(1000), 800, 7);
  EXPECT_THAT(takeAll({one[0], one[2]}), ElementsAre("fragment", "fragment"));
  EXPECT_EQ(left(), 2U);
  const auto next = ipFragments(segment(3000), 1200, 8);
  EXPECT_THAT(takeAll(next), ElementsAre("fragment", "3000+2000")) << "the next packet is whole again";
  EXPECT_EQ(left(), 2U);
}

TEST_P(FragmentsTest, ThatWereCapturedTwiceAreNotLeftOut) {
  const auto one = ipFragments(segment(1000), 1200, 7);
  EXPECT_THAT(takeAll({one[0], one[0], one[1], one[1]}), ElementsAre("fragment", "fragment", "1000+2000", "fragment"));
  EXPECT_EQ(left(), 0U);
}

TEST_P(FragmentsTest, WithAnIdentificationUsedAgainAreNotMixed) {
  const auto one = ipFragments(segment(1000), 800, 7);
  const auto other = ipFragments(segment(9000), 800, 7);
  EXPECT_THAT(takeAll({one[0], one[1], other[0], other[2]}),
              ElementsAre("fragment", "fragment", "fragment", "fragment"))
      << "the second piece of the other packet is missing";
  EXPECT_EQ(take(other[1]), "9000+2000");
}

TEST_P(FragmentsTest, OfAMarkedPacketMarkIt) {
  SegmentText marked = segment(1000);
  marked.ecn = EcnCodepoint::congestionExperienced;
  SegmentText plain = segment(1000);
  plain.ecn = EcnCodepoint::capable0;
  const auto marks = ipFragments(marked, 1200, 7);
  const auto plains = ipFragments(plain, 1200, 7);
  EXPECT_THAT(takeAll({plains[0], marks[1]}), ElementsAre("fragment", "1000+2000"));
  EXPECT_EQ(m_sample.ecn, EcnCodepoint::congestionExperienced);
}

// A filter for a port lets only first fragments pass: they alone have ports.
TEST_P(FragmentsTest, AreSegmentsThemselvesWhereOnlyFirstOnesWereCaptured) {
  std::vector<std::string> taken;
  for (std::uint16_t count = 0; count < 20; ++count) {
    taken.push_back(take(ipFragments(segment(count * 2000U), 1200, count)[0]));
  }
  EXPECT_EQ(taken.front(), "fragment");
  EXPECT_EQ(taken.back(), "38000+1168") << "what it holds itself";
  EXPECT_EQ(left(), 16U);
}

TEST_P(FragmentsTest, HaveRoomForSoManyPacketsOnly) {
  const auto first = ipFragments(segment(1000), 1200, 0);
  EXPECT_EQ(take(first[1]), "fragment");
  for (std::uint16_t other = 1; other <= 64; ++other) take(ipFragments(segment(1000), 1200, other)[1]);
  EXPECT_EQ(take(first[0]), "fragment") << "its other half went";
  EXPECT_EQ(take(ipFragments(segment(1000), 1200, 64)[0]), "1000+2000") << "the newest remained";
}

TEST(FragmentReassembly, BelievesNoPacketBeyondTheLargest) {
  PacketSample sample;
  FragmentReassembly assembly;
  EXPECT_EQ(assembly.take(sample, {7, 65'528, 65'535, true}), FragmentReassembly::Result::kept);
  for (std::uint32_t offset = 0; offset < 65'528; offset += 8) {
    ASSERT_EQ(assembly.take(sample, {7, offset, UINT32_MAX, false}), FragmentReassembly::Result::kept);
  }
}

}  // namespace
}  // namespace tcpscope
