#include "app/session/bounded_queue.h"

#include <gtest/gtest.h>

#include <thread>

#include "core/host/sysctl_values.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;

ObservationBatch batchOf(std::size_t sockets) {
  ObservationBatch batch;
  batch.changed.resize(sockets);
  return batch;
}

BoundedQueue::Deadline generousDeadline() {
  return std::chrono::steady_clock::now() + 60s;
}

TEST(BoundedQueue, GivesBatchesInTheOrderTheyCame) {
  BoundedQueue queue(100);
  EXPECT_TRUE(queue.push(batchOf(1)));
  EXPECT_TRUE(queue.push(batchOf(2)));
  const std::vector<ObservationBatch> taken = queue.takeAll(generousDeadline());
  ASSERT_EQ(taken.size(), 2U);
  EXPECT_EQ(taken[0].changed.size(), 1U);
  EXPECT_EQ(taken[1].changed.size(), 2U);
}

TEST(BoundedQueue, RefusesAndCountsWhatDoesNotFitAndLeavesItWithItsOwner) {
  BoundedQueue queue(10);
  EXPECT_TRUE(queue.push(batchOf(8)));
  ObservationBatch late = batchOf(8);
  EXPECT_FALSE(queue.push(std::move(late)));
  EXPECT_EQ(late.changed.size(), 8U);
  EXPECT_EQ(queue.refused(), 1U);
}

TEST(BoundedQueue, WhatComesFromOutsideHasAnEighthOfTheRoom) {
  BoundedQueue queue(80);
  EXPECT_TRUE(queue.pushFromOutside(batchOf(4)));
  ObservationBatch more = batchOf(6);
  EXPECT_FALSE(queue.pushFromOutside(std::move(more)));
  EXPECT_EQ(more.changed.size(), 6U);
  EXPECT_TRUE(queue.push(batchOf(60)));
}

TEST(BoundedQueue, WeighsTextsByTheirBytes) {
  BoundedQueue queue(100);
  EXPECT_TRUE(queue.push(batchOf(1)));
  ObservationBatch named;
  named.owners.push_back({{}, {7, UntrustedText(std::string(100'000, 'x')), std::nullopt, std::nullopt}});
  EXPECT_FALSE(queue.push(std::move(named)));
  ObservationBatch changed;
  changed.changeMarks.push_back({{}, {}, {}, {}, UntrustedText(std::string(100'000, 'x'))});
  EXPECT_FALSE(queue.push(std::move(changed)));
  ObservationBatch set;
  auto settings = std::make_shared<SysctlValues>();
  settings->set("net.ipv4.tcp_rmem", std::string(100'000, '1'));
  set.settings = std::move(settings);
  EXPECT_FALSE(queue.push(std::move(set)));
}

TEST(BoundedQueue, HasRoomAgainOnceEmptied) {
  BoundedQueue queue(10);
  EXPECT_TRUE(queue.push(batchOf(8)));
  EXPECT_EQ(queue.takeAll(generousDeadline()).size(), 1U);
  EXPECT_TRUE(queue.push(batchOf(8)));
}

TEST(BoundedQueue, TakesABatchOfAnyWeightWhenEmpty) {
  BoundedQueue queue(10);
  EXPECT_TRUE(queue.push(batchOf(1000)));
}

TEST(BoundedQueue, ReturnsWithNothingAtTheDeadline) {
  BoundedQueue queue(10);
  EXPECT_TRUE(queue.takeAll(std::chrono::steady_clock::now()).empty());
}

TEST(BoundedQueue, WakesATakerOnce) {
  BoundedQueue queue(10);
  queue.wake();
  EXPECT_TRUE(queue.takeAll(generousDeadline()).empty());
  const auto soon = std::chrono::steady_clock::now() + 1ms;
  EXPECT_TRUE(queue.takeAll(soon).empty());
  EXPECT_GE(std::chrono::steady_clock::now(), soon);
}

TEST(BoundedQueue, LetsBatchesGatherForATakerInNoHurry) {
  BoundedQueue queue(100);
  EXPECT_TRUE(queue.push(batchOf(3)));
  std::jthread pusher([&] {
    for (int count = 0; count < 4; ++count) EXPECT_TRUE(queue.push(batchOf(3)));
  });
  EXPECT_EQ(queue.takeAll(generousDeadline(), 20).size(), 5U) << "five batches of a weight of four";
}

TEST(BoundedQueue, ATakerInNoHurryComesBeforeTheQueueIsFull) {
  BoundedQueue queue(10);
  EXPECT_TRUE(queue.push(batchOf(4)));
  EXPECT_EQ(queue.takeAll(generousDeadline(), 1000).size(), 1U);
}

TEST(BoundedQueue, LetsAPatientPusherInWhenThereIsRoom) {
  BoundedQueue queue(10);
  EXPECT_TRUE(queue.push(batchOf(8)));
  std::jthread pusher([&](std::stop_token stop) { EXPECT_TRUE(queue.pushWaiting(batchOf(8), stop)); });
  std::size_t taken = 0;
  while (taken < 2) taken += queue.takeAll(generousDeadline()).size();
  EXPECT_EQ(queue.refused(), 0U);
}

TEST(BoundedQueue, ReleasesAWaitingPusherWhenAStopIsRequested) {
  BoundedQueue queue(10);
  EXPECT_TRUE(queue.push(batchOf(8)));
  std::jthread pusher([&](std::stop_token stop) { EXPECT_FALSE(queue.pushWaiting(batchOf(8), stop)); });
  pusher.request_stop();
  pusher.join();
}

TEST(BoundedQueue, RefusesEverythingOnceClosed) {
  BoundedQueue queue(10);
  queue.close();
  EXPECT_FALSE(queue.push(batchOf(1)));
  EXPECT_FALSE(queue.pushWaiting(batchOf(1), std::stop_token()));
  EXPECT_TRUE(queue.takeAll(generousDeadline()).empty());
}

TEST(BoundedQueue, LosesNothingBetweenThreads) {
  constexpr std::size_t kBatches = 2'000;
  BoundedQueue queue(64);
  std::size_t accepted = 0;
  std::jthread pusher([&] {
    for (std::size_t i = 0; i < kBatches; ++i) accepted += queue.push(batchOf(i % 16)) ? 1U : 0U;
    queue.close();
  });
  std::size_t taken = 0;
  while (true) {
    const std::size_t now = queue.takeAll(generousDeadline()).size();
    taken += now;
    if (now == 0) break;
  }
  pusher.join();
  taken += queue.takeAll(generousDeadline()).size();
  EXPECT_EQ(taken, accepted);
  EXPECT_EQ(accepted + queue.refused(), kBatches);
}

}  // namespace
}  // namespace tcpscope
