#include "core/diagnosis/evidence/window_shrinks.h"

#include <gtest/gtest.h>

#include <vector>

namespace tcpscope {
namespace {

WindowShrinks shrinksOf(const std::vector<std::uint64_t>& windows) {
  WindowShrinks shrinks;
  for (std::size_t index = 1; index < windows.size(); ++index) shrinks.addStep(windows[index - 1], windows[index]);
  return shrinks;
}

TEST(WindowShrinks, AreThoseOfAReaderThatReadsSlowly) {
  EXPECT_EQ(shrinksOf({60, 40, 20, 60, 50, 60}).count(), 3U);
}

TEST(WindowShrinks, AreNoneWhileItApproachesASmallerLimit) {
  EXPECT_EQ(shrinksOf({30, 60, 50, 40, 30, 20, 20, 20}).count(), 0U) << "a clamp does not take back what it offered";
}

TEST(WindowShrinks, AddUpOverSpans) {
  WindowShrinks both = shrinksOf({60, 40, 20});
  both += shrinksOf({20, 10});
  EXPECT_EQ(both.count(), 0U);
  both += shrinksOf({10, 60, 50, 60});
  EXPECT_EQ(both.count(), 4U);
}

}  // namespace
}  // namespace tcpscope
