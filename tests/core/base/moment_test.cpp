#include "core/base/moment.h"

#include <gtest/gtest.h>

#include <type_traits>

namespace tcpscope {
namespace {

using namespace std::chrono_literals;

static_assert(!std::is_convertible_v<Moment, WallTime>, "the two clocks are not mixed up");

TEST(Moment, MovesByAnySpanAndMeasuresTheWayBack) {
  const Moment start = Moment::fromNanoseconds(1'000);
  EXPECT_EQ(start + 5us, Moment::fromNanoseconds(6'000));
  EXPECT_EQ((start + 2s) - start, 2s);
  EXPECT_EQ(start - 1us, Moment::fromNanoseconds(0));
  EXPECT_LT(start, start + 1ns);
  EXPECT_DOUBLE_EQ(Moment::fromNanoseconds(2'500'000'000).seconds(), 2.5);
}

TEST(ClockPair, MapsMomentsBeforeAndAfterItself) {
  const ClockPair pair{Moment::fromNanoseconds(1'000), WallTime::fromNanoseconds(5'000'000)};
  EXPECT_EQ(pair.wallAt(Moment::fromNanoseconds(1'500)), WallTime::fromNanoseconds(5'000'500));
  EXPECT_EQ(pair.wallAt(Moment::fromNanoseconds(0)), WallTime::fromNanoseconds(4'999'000));
}

}  // namespace
}  // namespace tcpscope
