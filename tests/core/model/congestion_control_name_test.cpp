#include <gtest/gtest.h>

#include "core/model/socket_observation.h"

namespace tcpscope {
namespace {

TEST(CongestionControlName, KeepsWhatTheKernelGives) {
  EXPECT_EQ(CongestionControlName("cubic").text(), "cubic");
  EXPECT_EQ(CongestionControlName("a_name_with_15c").text(), "a_name_with_15c");
  EXPECT_TRUE(CongestionControlName().empty());
  EXPECT_TRUE(CongestionControlName("").empty());
}

TEST(CongestionControlName, CutsWhatIsLongerThanAnyKernelName) {
  EXPECT_EQ(CongestionControlName("sixteen_letters_and_more").text(), "sixteen_letters");
}

}  // namespace
}  // namespace tcpscope
