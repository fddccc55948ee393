#include "core/base/invariant.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

TEST(InvariantDeathTest, EndsTheProgramAndNamesWhatBroke) {
  EXPECT_DEATH(TCPSCOPE_INVARIANT(1 + 1 == 3), "invariant_test.*1 \\+ 1 == 3");
}

TEST(Invariant, EvaluatesItsConditionOnce) {
  int evaluations = 0;
  TCPSCOPE_INVARIANT(++evaluations == 1);
  EXPECT_EQ(evaluations, 1);
}

}  // namespace
}  // namespace tcpscope
