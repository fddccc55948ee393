#include "core/advice/stated_figures.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

TEST(StatedFigures, AreTypedWithUnitsWithOrWithoutASpace) {
  EXPECT_DOUBLE_EQ(statedValue(kStatedRtt, "20ms").value(), 20'000.0);
  EXPECT_DOUBLE_EQ(statedValue(kStatedRtt, "20.5 ms").value(), 20'500.0);
  EXPECT_DOUBLE_EQ(statedValue(kStatedLoss, "0.0294 %").value(), 0.000294);
  EXPECT_DOUBLE_EQ(statedValue(kStatedRate, "41.3 Mbit/s").value(), 41.3e6);
  EXPECT_DOUBLE_EQ(statedValue(kStatedWindow, "64 KiB").value(), 65'536.0);
  EXPECT_DOUBLE_EQ(statedValue(kStatedMss, "1448 bytes").value(), 1448.0);
}

TEST(StatedFigures, AreWithinWhatTcpAndItsPathsCanHave) {
  EXPECT_FALSE(statedValue(kStatedRtt, "0"));
  EXPECT_FALSE(statedValue(kStatedRtt, "2 h"));
  EXPECT_FALSE(statedValue(kStatedLoss, "150 %"));
  EXPECT_FALSE(statedValue(kStatedMtu, "20"));
  EXPECT_FALSE(statedValue(kStatedMss, "1448 ms"));
  EXPECT_FALSE(statedValue(kStatedRate, ""));
}

}  // namespace
}  // namespace tcpscope
