#include "app/session/background_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <vector>

namespace tcpscope {
namespace {

using namespace std::chrono_literals;

TEST(BackgroundQueue, RunsJobsInTheOrderTheyCame) {
  std::vector<int> order;
  std::promise<void> done;
  BackgroundQueue queue;
  for (int i = 0; i < 10; ++i) queue.post([&order, i](std::stop_token) { order.push_back(i); });
  queue.post([&done](std::stop_token) { done.set_value(); });
  ASSERT_EQ(done.get_future().wait_for(60s), std::future_status::ready);
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(BackgroundQueue, AsksTheRunningJobToStopAndDropsTheOthers) {
  std::promise<void> running;
  std::atomic<bool> stopped = false;
  std::atomic<bool> secondRan = false;
  {
    BackgroundQueue queue;
    queue.post([&](std::stop_token stop) {
      running.set_value();
      while (!stop.stop_requested()) std::this_thread::yield();
      stopped = true;
    });
    queue.post([&](std::stop_token) { secondRan = true; });
    ASSERT_EQ(running.get_future().wait_for(60s), std::future_status::ready);
  }
  EXPECT_TRUE(stopped);
  EXPECT_FALSE(secondRan);
}

}  // namespace
}  // namespace tcpscope
