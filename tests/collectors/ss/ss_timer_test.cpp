#include "collectors/ss/ss_timer.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

using std::chrono::milliseconds;

TEST(SsTimer, ReadsKindTimeAndTries) {
  EXPECT_EQ(parseSsTimer("timer:(on,092ms,0)"), (SocketTimer{TimerKind::retransmission, Count(0), milliseconds(92)}));
  EXPECT_EQ(parseSsTimer("timer:(keepalive,1min59sec,3)"),
            (SocketTimer{TimerKind::keepAlive, Count(3), std::chrono::minutes(1) + std::chrono::seconds(59)}));
  EXPECT_EQ(parseSsTimer("timer:(persist,2.200ms,6)"),
            (SocketTimer{TimerKind::windowProbe, Count(6), milliseconds(2'200)}));
  EXPECT_EQ(parseSsTimer("timer:(timewait,59sec,0)"),
            (SocketTimer{TimerKind::timeWait, Count(0), std::chrono::seconds(59)}));
  EXPECT_EQ(parseSsTimer("timer:(on,,1)"), (SocketTimer{TimerKind::retransmission, Count(1), milliseconds(0)}));
}

TEST(SsTimer, AnythingElseIsNone) {
  for (const char* const word : {"", "timer:", "timer:(on)", "timer:(on,1ms)", "timer:(off,1ms,0)", "timer:(on,1h,0)",
                                 "timer:(on,1ms,x)", "timer:(on,1ms,0", "sk:1"}) {
    EXPECT_EQ(parseSsTimer(word), std::nullopt) << word;
  }
}

}  // namespace
}  // namespace tcpscope
