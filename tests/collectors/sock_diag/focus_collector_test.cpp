#include "collectors/sock_diag/focus_collector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tests/support/running_collector.h"
#include "tests/support/scripted_channel.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;
using test::RunningCollector;
using Batches = std::vector<ObservationBatch>;

/// A kernel with one socket that exists for `answers` requests.
test::ScriptedPlace placeWith(std::uint64_t cookie, std::size_t answers) {
  test::ScriptedPlace place;
  for (std::size_t count = 0; count < answers; ++count) {
    place.script->push_back({test::socketMessage({.cookie = cookie})});
  }
  place.script->push_back({test::kernelError(ENOENT)});
  return place;
}

/// Its clock advances by `step` at each sample, however slowly the test runs.
SockDiagAccess accessWithSteps(const test::ScriptedPlace& place, Nanoseconds step) {
  SockDiagAccess access = place.access();
  access.now = [clock = place.clock, step] { return *clock = *clock + step; };
  return access;
}

/// A sample a slot.
constexpr Nanoseconds kShortStep = 1ms;

CollectorRequest focusOn(std::uint64_t cookie) {
  CollectorRequest request;
  request.focus = SocketAddress{{PlaceId{0}, cookie}, {}, {}, 0};
  request.focusInterval = 1ms;
  return request;
}

std::size_t samplesIn(const Batches& batches) {
  return std::accumulate(batches.begin(), batches.end(), std::size_t{0},
                         [](std::size_t sum, const ObservationBatch& batch) { return sum + batch.changed.size(); });
}

TEST(FocusCollector, SamplesTheSocketUntilItIsGoneAndReportsThatOnce) {
  RunningCollector collector(std::move(*FocusCollector::open(accessWithSteps(placeWith(7, 50), kShortStep), {})));
  collector.requests.set(focusOn(7));
  EXPECT_TRUE(collector.waitUntil(
      [](const Batches& batches) { return !batches.empty() && batches.back().closed.size() == 1; }));
  collector.requests.set(focusOn(7));
  EXPECT_TRUE(collector.waitUntil([](const Batches& batches) {
    const auto ends = std::count_if(batches.begin(), batches.end(),
                                    [](const ObservationBatch& batch) { return !batch.closed.empty(); });
    return samplesIn(batches) == 50 && ends == 1;
  }));
}

TEST(FocusCollector, HandsOnSamplesThatAreCloseTogetherInBatchesOf50Milliseconds) {
  RunningCollector collector(std::move(*FocusCollector::open(accessWithSteps(placeWith(7, 1'000), kShortStep), {})));
  collector.requests.set(focusOn(7));
  EXPECT_TRUE(collector.waitUntil([](const Batches& batches) { return samplesIn(batches) >= 100; }));
  for (const ObservationBatch& batch : collector.batches()) {
    EXPECT_GT(batch.changed.size(), 1U);
    EXPECT_LE(batch.changed.back().takenAt - batch.changed.front().takenAt, 50ms);
  }
}

TEST(FocusCollector, HandsOnEachSampleAtOnceWhereTheyAreFarApart) {
  RunningCollector collector(std::move(*FocusCollector::open(accessWithSteps(placeWith(7, 1'000), 10ms), {})));
  CollectorRequest request = focusOn(7);
  request.focusInterval = 100ms;
  collector.requests.set(request);
  EXPECT_TRUE(collector.waitUntil([](const Batches& batches) { return batches.size() >= 3; }));
  for (const ObservationBatch& batch : collector.batches()) EXPECT_EQ(batch.changed.size(), 1U);
}

TEST(FocusCollector, CountsTheSlotsThatPassWithoutASample) {
  // Of 4 slots at 1 kHz one is used.
  RunningCollector collector(std::move(*FocusCollector::open(accessWithSteps(placeWith(7, 1'000), 4ms), {})));
  collector.requests.set(focusOn(7));
  EXPECT_TRUE(collector.waitUntil([](const Batches& batches) {
    return std::any_of(batches.begin(), batches.end(), [](const ObservationBatch& batch) {
      return !batch.gaps.empty() && batch.gaps.front().kind == GapKind::focusSlotMissed;
    });
  }));
}

TEST(FocusCollector, ContinuesWithTheNextFocusWhenASocketIsGone) {
  const test::ScriptedPlace place = placeWith(7, 3);
  for (int count = 0; count < 50; ++count) place.script->push_back({test::socketMessage({.cookie = 8})});
  RunningCollector collector(std::move(*FocusCollector::open(accessWithSteps(place, kShortStep), {})));
  collector.requests.set(focusOn(7));
  ASSERT_TRUE(collector.waitUntil(
      [](const Batches& batches) { return !batches.empty() && batches.back().closed.size() == 1; }));
  collector.requests.set(focusOn(8));
  EXPECT_TRUE(collector.waitUntil([](const Batches& batches) {
    return std::any_of(batches.begin(), batches.end(), [](const ObservationBatch& batch) {
      return !batch.changed.empty() && batch.changed.front().id.cookie == 8;
    });
  }));
}

}  // namespace
}  // namespace tcpscope
