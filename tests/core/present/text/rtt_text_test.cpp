#include "core/present/text/rtt_text.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

TEST(RttText, MarksWhatIsOld) {
  EXPECT_EQ(rttText(0.0205, false), "20.5 ms");
  EXPECT_EQ(rttText(0.0205, true), "20.5 ms (old)");
}

}  // namespace
}  // namespace tcpscope
