#include "core/base/optional_count.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace tcpscope {
namespace {

using Count32 = OptionalCount<std::uint32_t>;

TEST(OptionalCount, IsNothingBeforeTheFirstPart) {
  Count32 count;
  EXPECT_FALSE(count);
  EXPECT_EQ(count.value_or(7), 7U);
  count.add(0);
  EXPECT_TRUE(count) << "nothing happened, and that is known";
  EXPECT_EQ(*count, 0U);
  count.add(3);
  EXPECT_EQ(count, 3U);
}

TEST(OptionalCount, TakesTheSpaceOfTheCount) {
  EXPECT_EQ(sizeof(Count32), sizeof(std::uint32_t));
}

TEST(OptionalCount, ComparesAsStdOptionalDoes) {
  EXPECT_LT(Count32(), Count32(0));
  EXPECT_LT(Count32(1), Count32(2));
  EXPECT_FALSE(Count32() > 0U);
  EXPECT_NE(Count32(), Count32(0));
  EXPECT_EQ(Count32(), Count32(std::nullopt));
}

TEST(OptionalCount, BecomesAStdOptional) {
  EXPECT_EQ(std::optional<std::uint32_t>(Count32()), std::nullopt);
  EXPECT_EQ(std::optional<std::uint32_t>(Count32(5)), 5U);
}

}  // namespace
}  // namespace tcpscope
