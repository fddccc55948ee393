#include "collectors/sock_diag/segment_counters.h"

#include <gtest/gtest.h>

#include "tests/support/serving_namespace.h"

namespace tcpscope {
namespace {

TEST(SegmentCounters, StandStillWhileNoSegmentComesOrLeaves) {
  test::ServingNamespace other;
  if (!other.isThere()) GTEST_SKIP() << "no network namespaces here";
  SegmentCounters counters = SegmentCounters::in(*NetworkNamespace::parse(other.pid()));
  EXPECT_FALSE(counters.stoodStill()) << "nothing to compare with";
  EXPECT_TRUE(counters.stoodStill());
  other.send();
  EXPECT_FALSE(counters.stoodStill());
  // The acknowledgment may come later.
  while (!counters.stoodStill()) {
  }
  other.connect();
  EXPECT_FALSE(counters.stoodStill());
}

TEST(SegmentCounters, AreUnknownOfAMissingNamespace) {
  SegmentCounters counters = SegmentCounters::in(*NetworkNamespace::parse("no-such-namespace-here"));
  EXPECT_FALSE(counters.stoodStill());
  EXPECT_FALSE(counters.stoodStill());
}

}  // namespace
}  // namespace tcpscope
