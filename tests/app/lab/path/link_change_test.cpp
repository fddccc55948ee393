// A link whose settings change while packets are inside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/lab/path/link_harness.h"

namespace tcpscope::lab {
namespace {

using namespace std::chrono_literals;
using link_test::at;
using link_test::LinkHarness;
using link_test::Outcome;
using ::testing::ElementsAre;

LinkSettings withRate(double bitsPerSecond) {
  LinkSettings settings;
  settings.rate = BitsPerSecond(bitsPerSecond);
  return settings;
}

// time ms   0         1    1.5       2.5       4.5
// 8 Mbit/s  [--- 1 ---][ 2 |
// 4 Mbit/s                 |  2 ----][------- 3 -------]
TEST(LinkThatChanges, GoesOnAtTheNewRateWithWhatIsInside) {
  LinkHarness link(withRate(8e6));
  link.sendBurst(0, 3, 1000);
  link.link().change(withRate(4e6), at(1500));
  EXPECT_THAT(link.outBy(10'000), ElementsAre(Outcome(1, 1000), Outcome(2, 2500), Outcome(3, 4500)));
}

TEST(LinkThatChanges, LetsEverythingGoWhenTheRateIsTakenAway) {
  LinkHarness link(withRate(8e6));
  link.sendBurst(0, 3, 1000);
  link.link().change({}, at(1500));
  EXPECT_THAT(link.outBy(10'000), ElementsAre(Outcome(1, 1000), Outcome(2, 1500), Outcome(3, 1500)));
}

TEST(LinkThatChanges, KeepsTheDelayOfWhatIsOnItsWay) {
  LinkSettings longer;
  longer.delay = 50ms;
  LinkSettings shorter;
  shorter.delay = 10ms;
  LinkHarness link(longer);
  link.sendBurst(0, 1, 1000, 1);
  link.link().change(shorter, at(1000));
  link.sendBurst(1000, 1, 1000, 2);
  link.sendBurst(45'000, 1, 1000, 3);
  // The second may not overtake the first.
  EXPECT_THAT(link.outBy(60'000), ElementsAre(Outcome(1, 50'000), Outcome(2, 50'000), Outcome(3, 55'000)));
}

TEST(LinkThatChanges, KeepsWhatTheQueueHoldsWhenItShrinks) {
  LinkHarness link(withRate(8e6));
  link.sendBurst(0, 5, 1000);
  LinkSettings small = withRate(8e6);
  small.queue.limit = Bytes(1000);
  link.link().change(small, at(100));
  link.sendBurst(200, 1, 1000, 6);
  EXPECT_THAT(link.sequencesOf(PathEventKind::queueDrop), ElementsAre(6));
  EXPECT_EQ(link.outBy(10'000).size(), 5U);
}

TEST(LinkThatChanges, CountsScriptedPacketsOverItsWholeLife) {
  LinkHarness link(LinkSettings{});
  link.sendBurst(0, 3, 1000);
  LinkSettings scripted;
  scripted.loss = ScriptedLoss{{2, 6}};
  link.link().change(scripted, at(0));
  link.sendBurst(0, 3, 1000, 4);
  // The packets before the script count, too.
  EXPECT_THAT(link.sequencesOf(PathEventKind::randomLoss), ElementsAre(6));
}

}  // namespace
}  // namespace tcpscope::lab
