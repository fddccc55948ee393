#include "app/remote/retry_pauses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace tcpscope {
namespace {

using namespace std::chrono_literals;

std::vector<std::chrono::seconds> next(RetryPauses& pauses, int count) {
  std::vector<std::chrono::seconds> taken;
  for (int index = 0; index < count; ++index) taken.push_back(pauses.next());
  return taken;
}

TEST(RetryPauses, GrowToHalfAMinute) {
  RetryPauses pauses;
  EXPECT_THAT(next(pauses, 8), testing::ElementsAre(1s, 2s, 4s, 8s, 16s, 30s, 30s, 30s));
}

TEST(RetryPauses, RestartAfterAStableConnection) {
  RetryPauses pauses;
  next(pauses, 5);
  pauses.ended(30s);
  EXPECT_EQ(pauses.next(), 1s);
}

TEST(RetryPauses, GoOnBehindAConnectionThatEndedAtOnce) {
  RetryPauses pauses;
  next(pauses, 3);
  pauses.ended(2s);
  EXPECT_EQ(pauses.next(), 8s);
}

}  // namespace
}  // namespace tcpscope
