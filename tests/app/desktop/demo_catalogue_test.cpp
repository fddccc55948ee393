#include "app/desktop/demo_catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tcpscope {
namespace {

using testing::HasSubstr;

TEST(DemoCatalogue, HasTheDefault) {
  const auto demos = demoCatalogue();
  const auto number = findDemo(demos, kDefaultDemo);
  ASSERT_TRUE(number);
  const DemoScenario shown = descriptionOf(demos[*number]);
  EXPECT_EQ(shown.name, "locked_send_buffer");
  EXPECT_THAT(shown.truth, HasSubstr("send buffer"));
  EXPECT_THAT(shown.story, HasSubstr("SO_SNDBUF"));
  EXPECT_EQ(shown.setting, "The path carries up to 100 Mbit/s; without queues its RTT is 40.0 ms.");
}

TEST(DemoCatalogue, LeavesLargeGridsToTheCommandLine) {
  EXPECT_FALSE(findDemo(demoCatalogue(), "message_matrix"));
}

TEST(DemoCatalogue, ComparisonsHaveNoSingleTruth) {
  const auto demos = demoCatalogue();
  const auto number = findDemo(demos, "reno_against_reno_100mbit");
  ASSERT_TRUE(number);
  EXPECT_EQ(descriptionOf(demos[*number]).truth, "");
}

TEST(DemoCatalogue, KnowsTheSendingEndOfEveryMainConnection) {
  const auto demos = demoCatalogue();
  EXPECT_GT(demos.size(), 20U);
  for (const Demo& demo : demos) {
    SocketObservation sender;
    sender.local = demo.local;
    sender.remote = demo.remote;
    SocketObservation receiver;
    receiver.local = demo.remote;
    receiver.remote = demo.local;
    const ConnectionFilter filter = mainConnection(demo);
    EXPECT_TRUE(filter.matches({sender})) << demo.scenario.name;
    EXPECT_FALSE(filter.matches({receiver})) << demo.scenario.name;
  }
}

}  // namespace
}  // namespace tcpscope
