#include "core/wire/flow/sequence_ranges.h"

#include <gtest/gtest.h>

#include "core/wire/flow/sequence_holes.h"

namespace tcpscope {
namespace {

TEST(SequenceSpace, UnwrapsAcrossTheWrap) {
  const StreamOffset start = firstOffset(0xFFFF'FF00);
  EXPECT_EQ(unwrap(0x0000'0100, start), start + 0x200);
  EXPECT_EQ(unwrap(0xFFFF'FE00, start), start - 0x100);
  EXPECT_EQ(onTheWire(start + 0x200), 0x100U);
}

TEST(SequenceRanges, JoinWhatTouches) {
  SequenceRanges ranges;
  EXPECT_EQ(ranges.add({10, 20}), 10U);
  EXPECT_EQ(ranges.add({30, 40}), 10U);
  EXPECT_EQ(ranges.add({20, 30}), 10U);
  EXPECT_EQ(ranges.ranges(), (std::vector<SequenceRange>{{10, 40}}));
  EXPECT_EQ(ranges.bytes(), 30U);
}

TEST(SequenceRanges, CountOnlyWhatIsNew) {
  SequenceRanges ranges;
  ranges.add({10, 20});
  EXPECT_EQ(ranges.add({15, 25}), 5U);
  EXPECT_EQ(ranges.add({12, 18}), 0U);
  EXPECT_TRUE(ranges.contains({12, 25}));
  EXPECT_FALSE(ranges.contains({12, 26}));
  EXPECT_FALSE(ranges.contains({9, 12}));
}

TEST(SequenceRanges, LoseWhatIsAcknowledged) {
  SequenceRanges ranges;
  ranges.add({10, 20});
  ranges.add({30, 40});
  ranges.removeBelow(35);
  EXPECT_EQ(ranges.ranges(), (std::vector<SequenceRange>{{35, 40}}));
  EXPECT_EQ(ranges.bytes(), 5U);
}

TEST(SequenceRanges, StayBounded) {
  SequenceRanges ranges;
  for (StreamOffset begin = 0; begin < 10 * SequenceRanges::kMaxRanges; begin += 2) ranges.add({begin, begin + 1});
  EXPECT_EQ(ranges.ranges().size(), SequenceRanges::kMaxRanges);
  EXPECT_EQ(ranges.bytes(), SequenceRanges::kMaxRanges);
  EXPECT_EQ(ranges.forgottenRanges(), 4 * SequenceRanges::kMaxRanges);
}

SequenceHoles holes(std::initializer_list<SequenceRange> ranges) {
  SequenceHoles holes;
  for (const SequenceRange& range : ranges) holes.open({range, WallTime(), {}, 0, {}});
  return holes;
}

TEST(SequenceHoles, CloseWhereTheyAreFilled) {
  SequenceHoles some = holes({{10, 20}, {30, 40}});
  EXPECT_EQ(some.fill({15, 35}), 10U);
  ASSERT_EQ(some.holes().size(), 2U);
  EXPECT_EQ(some.holes()[0].range, (SequenceRange{10, 15}));
  EXPECT_EQ(some.holes()[1].range, (SequenceRange{35, 40}));
}

TEST(SequenceHoles, SplitWhereTheirMiddleIsFilled) {
  SequenceHoles some = holes({{10, 40}});
  EXPECT_EQ(some.fill({20, 30}), 10U);
  ASSERT_EQ(some.holes().size(), 2U);
  EXPECT_EQ(some.holes()[1].range, (SequenceRange{30, 40}));
  EXPECT_EQ(some.fill({0, 100}), 20U);
  EXPECT_TRUE(some.isEmpty());
}

TEST(SequenceHoles, AreFoundByWhatReachesIntoThem) {
  const SequenceHoles some = holes({{10, 20}, {30, 40}});
  EXPECT_EQ(some.find({20, 30}), nullptr);
  ASSERT_NE(some.find({19, 30}), nullptr);
  EXPECT_EQ(some.find({25, 31})->range.begin, 30U);
  EXPECT_EQ(some.bytesIn({15, 32}), 7U);
}

TEST(SequenceHoles, StayBounded) {
  SequenceHoles some;
  for (StreamOffset begin = 2; begin < 20'002; begin += 2) {
    some.open({{begin, begin + 1}, WallTime(), {}, 0, begin});
  }
  EXPECT_LE(some.holes().size(), SequenceHoles::kMaxHoles);
  EXPECT_EQ(some.forgottenBytes() + some.holes().size(), 10'000U);
}

}  // namespace
}  // namespace tcpscope
