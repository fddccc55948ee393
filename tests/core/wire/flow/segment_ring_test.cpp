#include "core/wire/flow/segment_ring.h"

#include <gtest/gtest.h>

#include <utility>

namespace tcpscope {
namespace {

UnackedSegment segment(StreamOffset begin, StreamOffset end) {
  UnackedSegment segment;
  segment.begin = begin;
  segment.bytes = static_cast<std::uint32_t>(end - begin);
  return segment;
}

std::vector<SequenceRange> content(const SegmentRing& ring) {
  std::vector<SequenceRange> content;
  for (std::size_t index = 0; index < ring.size(); ++index) content.push_back({ring[index].begin, ring[index].end()});
  return content;
}

TEST(SegmentRing, UsesTheSameMemoryAgain) {
  SegmentRing ring;
  for (StreamOffset begin = 0; begin < 100'000; begin += 10) {
    ring.pushBack(segment(begin, begin + 10));
    if (ring.size() > 8) ring.popFront();
  }
  EXPECT_LE(ring.residentBytes(), 16 * sizeof(UnackedSegment));
  EXPECT_EQ(ring[7].end(), 100'000U);
}

TEST(SegmentRing, FindsBySequence) {
  SegmentRing ring;
  for (StreamOffset begin = 0; begin < 100; begin += 10) ring.pushBack(segment(begin, begin + 10));
  EXPECT_EQ(ring.indexAfter(0), 0U);
  EXPECT_EQ(ring.indexAfter(9), 0U);
  EXPECT_EQ(ring.indexAfter(10), 1U);
  EXPECT_EQ(ring.indexAfter(100), 10U);
}

TEST(SegmentRing, SplitsInsideASegmentOnly) {
  SegmentRing ring;
  ring.pushBack(segment(0, 30));
  ring.splitAt(0);
  ring.splitAt(10);
  ring.splitAt(10);
  ring.splitAt(30);
  EXPECT_EQ(content(ring), (std::vector<SequenceRange>{{0, 10}, {10, 30}}));
}

TEST(SegmentRing, InsertsWhatIsMissing) {
  SegmentRing ring;
  ring.pushBack(segment(10, 20));
  ring.pushBack(segment(30, 40));
  ring.insert(segment(5, 50));
  EXPECT_EQ(content(ring), (std::vector<SequenceRange>{{5, 10}, {10, 20}, {20, 30}, {30, 40}, {40, 50}}));
}

TEST(SegmentRing, GivesUpTheOldestAtItsLimit) {
  SegmentRing ring;
  for (StreamOffset begin = 0; begin < SegmentRing::kMaxSegments + 5; ++begin) ring.pushBack(segment(begin, begin + 1));
  EXPECT_EQ(ring.size(), SegmentRing::kMaxSegments);
  EXPECT_EQ(ring.forgotten(), 5U);
  EXPECT_EQ(ring.front().begin, 5U);
}

}  // namespace
}  // namespace tcpscope
