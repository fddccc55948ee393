// A queue on the way of the data, and one on the way back of its acknowledgments: the RTT is the same, the timestamps
// of both ends distinguish them, from either end of the path.
#include <gtest/gtest.h>

#include <cmath>
#include <deque>

#include "tests/core/diagnosis/limits/seen_transfer.h"
#include "tests/core/diagnosis/sender_situation.h"

namespace tcpscope {
namespace {

using test::SeenTransfer;

/// Seconds that packets wait on each way, once the others' traffic has begun.
struct Queues {
  double there = 0.0;
  double back = 0.0;
};

/// The clocks of both ends tick in milliseconds.
int stampOf(double timeS) {
  return static_cast<int>(std::lround(timeS * 1e3));
}

/// 20 s of windows of 24 segments, the receiver's whole window, through queues that fill after the first two: each
/// second segment is acknowledged, which lets two more out.
SideDiagnosis windowsThrough(Queues queues, double place) {
  constexpr int kWindow = 24;
  SeenTransfer captured(place, false);
  captured.leaves(0.0, "S 0:0 win 65535 mss 1012 sackOK ws 0 ts 0/0");
  captured.arrives(test::kRttSeconds, "SA 0:0 ack 1 win 65535 mss 1012 sackOK ws 0 ts 50/0");
  captured.leaves(test::kRttSeconds, "A 1:1 ack 1 ts 100/50");
  struct Pair {
    double sentAt = 0.0;
    int echo = 50;
  };
  std::deque<Pair> inFlight;
  for (int pair = 0; pair < kWindow / 2; ++pair) inFlight.push_back({0.2 + pair * 0.001, 50});
  for (int first = 0; inFlight.front().sentAt < 20.0; first += 2) {
    const Pair pair = inFlight.front();
    inFlight.pop_front();
    const Queues wait = pair.sentAt < 2.0 ? Queues{} : queues;
    for (const int segment : {first, first + 1}) {
      captured.leaves(pair.sentAt + wait.there * place,
                      fmt::format("A {}:{} ack 1 ts {}/{}", 1 + segment * 1000, 1 + (segment + 1) * 1000,
                                  stampOf(pair.sentAt), pair.echo));
    }
    const double arrived = pair.sentAt + test::kRttSeconds / 2 + wait.there;
    const double acknowledged = arrived + test::kRttSeconds / 2 + wait.back;
    captured.arrives(
        acknowledged - wait.back * place,
        fmt::format("A 1:1 ack {} win 24500 ts {}/{}", 1 + (first + 2) * 1000, stampOf(arrived), stampOf(pair.sentAt)));
    inFlight.push_back({acknowledged + 0.0001, stampOf(arrived)});
  }
  return captured.seen().diagnosis;
}

bool has(const SideDiagnosis& diagnosis, RuleId rule) {
  return std::any_of(diagnosis.findings.begin(), diagnosis.findings.end(),
                     [rule](const Finding& finding) { return finding.rule == rule; });
}

/// 0 at the sender, 1 at the receiver.
class ReturnPathSeenFrom : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Place, ReturnPathSeenFrom, testing::Values(0.0, 1.0));

TEST_P(ReturnPathSeenFrom, AQueueOfAcknowledgmentsLeavesTheWindowTheLimit) {
  const SideDiagnosis diagnosis = windowsThrough({0.0, 0.3}, GetParam());
  EXPECT_TRUE(has(diagnosis, RuleId::returnPathQueue));
  EXPECT_FALSE(has(diagnosis, RuleId::queueing));
  EXPECT_VERDICT(diagnosis.verdict, Limit::receiver, Cause::bufferLimit);
}

TEST_P(ReturnPathSeenFrom, AQueueOfDataIsThePathsOwn) {
  const SideDiagnosis diagnosis = windowsThrough({0.3, 0.0}, GetParam());
  EXPECT_FALSE(has(diagnosis, RuleId::returnPathQueue));
  EXPECT_TRUE(has(diagnosis, RuleId::queueing));
  EXPECT_VERDICT(diagnosis.verdict, Limit::network, Cause::queue);
}

TEST_P(ReturnPathSeenFrom, OfTwoQueuesTheLongerCounts) {
  EXPECT_TRUE(has(windowsThrough({0.1, 0.3}, GetParam()), RuleId::returnPathQueue));
  EXPECT_FALSE(has(windowsThrough({0.3, 0.1}, GetParam()), RuleId::returnPathQueue));
}

TEST_P(ReturnPathSeenFrom, APathWithoutQueueHasNone) {
  const SideDiagnosis diagnosis = windowsThrough({}, GetParam());
  EXPECT_FALSE(has(diagnosis, RuleId::returnPathQueue));
  EXPECT_FALSE(has(diagnosis, RuleId::queueing));
}

}  // namespace
}  // namespace tcpscope
