#include "core/present/text/rtt_text.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

TEST(RttText, MarksOnlyWhatIsOld) {
  EXPECT_EQ(rttText(0.0205, RttSource::smoothed), "20.5 ms");
  EXPECT_EQ(rttText(0.0205, RttSource::receiver), "20.5 ms");
  EXPECT_EQ(rttText(0.0205, RttSource::old), "20.5 ms (old)");
}

}  // namespace
}  // namespace tcpscope
