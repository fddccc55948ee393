#include "core/base/quantity.h"

#include <gtest/gtest.h>

#include <concepts>

#include "core/base/units.h"

namespace tcpscope {
namespace {

template <class A, class B>
concept Addable = requires(A a, B b) {
  a + b;
};

static_assert(Addable<Bytes, Bytes>);
static_assert(!Addable<Bytes, Segments>, "bytes and segments do not add up");
static_assert(!std::convertible_to<int, Bytes>, "a bare number has no unit");
static_assert(!std::convertible_to<Bytes, std::uint64_t>, "the unit is not lost by accident");

TEST(Quantity, AddsSubtractsScalesAndDivides) {
  EXPECT_EQ(Bytes(3) + Bytes(4), Bytes(7));
  EXPECT_EQ(Bytes(9) - Bytes(4), Bytes(5));
  EXPECT_EQ(Segments(10) * 3, Segments(30));
  EXPECT_DOUBLE_EQ(Bytes(1) / Bytes(4), 0.25);
  EXPECT_LT(Bytes(1), Bytes(2));
}

TEST(BitsPerSecond, KnowsBytesTimeAndNoLimit) {
  EXPECT_DOUBLE_EQ(BitsPerSecond::fromBytesPerSecond(125'000).value(), 1e6);
  EXPECT_DOUBLE_EQ(BitsPerSecond::from(Bytes(1'000'000), std::chrono::milliseconds(500)).value(), 16e6);
  EXPECT_TRUE(BitsPerSecond::unlimited().isUnlimited());
  EXPECT_FALSE(BitsPerSecond(1e12).isUnlimited());
  EXPECT_GT(BitsPerSecond::unlimited(), BitsPerSecond(1e15));
}

TEST(ToSeconds, KeepsFractions) {
  EXPECT_DOUBLE_EQ(toSeconds(Microseconds(1'500)), 0.0015);
}

}  // namespace
}  // namespace tcpscope
