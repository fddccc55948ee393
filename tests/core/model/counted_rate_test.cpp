// A rate from a counter, step by step.
#include "core/model/counted_rate.h"

#include <gmock/gmock.h>

#include "tests/support/observation_builder.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Moment countedAfter(Nanoseconds span) {
  return Moment::fromNanoseconds(0) + span;
}

/// 1,000 bytes every 10 ms, twice as many from one second on.
ConnectionHistory acceleratingHistory() {
  ConnectionHistory history;
  std::uint64_t bytes = 0;
  for (Milliseconds at = 0ms; at <= 2000ms; at += 10ms) {
    history.append(countedAfter(at), MetricSource{test::ObservationBuilder().acked(bytes).build()});
    bytes += at < 1000ms ? 1000U : 2000U;
  }
  return history;
}

TEST(CountedRate, IsThatOfEachStep) {
  EXPECT_THAT(bitRateSteps(acceleratingHistory(), Metric::bytesAcked, countedAfter(500ms), countedAfter(1500ms), 250ms),
              ElementsAre(800'000.0, 800'000.0, 1'600'000.0, 1'600'000.0));
}

TEST(CountedRate, StaysWithinWhatWasSeen) {
  const ConnectionHistory history = acceleratingHistory();
  EXPECT_THAT(bitRateSteps(history, Metric::bytesAcked, countedAfter(-10s), countedAfter(10s), 300ms), SizeIs(6))
      << "whole steps only";
  EXPECT_THAT(bitRateSteps(history, Metric::bytesAcked, countedAfter(5s), countedAfter(9s), 300ms), IsEmpty());
  EXPECT_THAT(bitRateSteps(history, Metric::bytesAcked, countedAfter(0s), countedAfter(2s), 0ms), IsEmpty());
  EXPECT_THAT(bitRateSteps(ConnectionHistory(), Metric::bytesAcked, countedAfter(0s), countedAfter(2s), 300ms),
              IsEmpty());
}

TEST(CountedRate, IsNotGivenForACounterThatIsNotReported) {
  EXPECT_THAT(bitRateSteps(acceleratingHistory(), Metric::memoryDrops, countedAfter(0s), countedAfter(2s), 300ms),
              IsEmpty());
}

}  // namespace
}  // namespace tcpscope
