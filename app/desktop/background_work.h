// Work on the background queue whose result the GUI thread takes once it is ready, and never waits for.
#pragma once

#include <future>
#include <memory>

#include "app/session/background_queue.h"

namespace tcpscope {

template <class T>
bool isThere(const std::future<T>& future) {
  return future.valid() && future.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

/// Runs `work`, which takes the queue's stop token, on the queue.
template <class Work>
auto postTo(BackgroundQueue& queue, Work work) {
  using Outcome = decltype(work(std::stop_token()));
  auto task = std::make_shared<std::packaged_task<Outcome(std::stop_token)>>(std::move(work));
  auto future = task->get_future();
  queue.post([task](const std::stop_token& stop) { (*task)(stop); });
  return future;
}

}  // namespace tcpscope
