#include "core/session/row_update.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

int percent(const LimitBar& bar, Limit limit) {
  return bar.percent[static_cast<std::size_t>(limit)];
}

TEST(LimitBar, HasTheSharesOfSpansOfAnyLength) {
  // A recording may claim that years lie between two samples.
  for (const Nanoseconds whole : {Nanoseconds(4), Nanoseconds(std::chrono::hours(24 * 365 * 40))}) {
    LimitShares shares;
    shares.add(Limit::network, whole / 4 * 3);
    shares.add(Limit::idle, whole / 4);
    EXPECT_EQ(percent(limitBar(shares), Limit::network), 75);
    EXPECT_EQ(percent(limitBar(shares), Limit::idle), 25);
  }
}

}  // namespace
}  // namespace tcpscope
