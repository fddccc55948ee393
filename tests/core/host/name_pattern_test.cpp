#include "core/host/name_pattern.h"

#include <gtest/gtest.h>

#include <string>

namespace tcpscope {
namespace {

TEST(NamePattern, StandsForNames) {
  for (const std::string_view pattern :
       {"eth0", "*", "eth?", "e*0", "e**t*h*", "eth[0-3]", "eth[!1-9]", "eth[^a]", "[e]th0", "*[0]", "et\\h0", "***"}) {
    EXPECT_TRUE(matchesPattern(pattern, "eth0")) << pattern;
  }
  for (const std::string_view pattern :
       {"eth", "eth0?", "?", "e*1", "eth[1-3]", "eth[!0]", "\\*", "", "eth[0", "*x*"}) {
    EXPECT_FALSE(matchesPattern(pattern, "eth0")) << pattern;
  }
}

TEST(NamePattern, TakesAnIncompleteSetLiterally) {
  EXPECT_TRUE(matchesPattern("a[b", "a[b"));
  EXPECT_TRUE(matchesPattern("[]]", "]"));
  EXPECT_TRUE(matchesPattern("\\*", "*"));
  EXPECT_TRUE(matchesPattern("a\\", "a\\"));
  EXPECT_TRUE(matchesPattern("", ""));
}

TEST(NamePattern, TerminatesWithManyStars) {
  std::string pattern;
  for (int star = 0; star < 100; ++star) pattern += "*a";
  EXPECT_FALSE(matchesPattern(pattern + "b", std::string(200, 'a')));
}

}  // namespace
}  // namespace tcpscope
