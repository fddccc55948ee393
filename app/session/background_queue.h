// One thread for work that blocks: owners from /proc, names, files. Jobs run in the order they came.
//
// The destructor asks the running job to stop, drops those that wait and joins.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace tcpscope {

class BackgroundQueue {
public:
  /// A job that takes long looks at the token now and then.
  using Job = std::function<void(std::stop_token)>;

  BackgroundQueue();
  ~BackgroundQueue() = default;
  BackgroundQueue(const BackgroundQueue&) = delete;
  BackgroundQueue& operator=(const BackgroundQueue&) = delete;

  void post(Job job);

private:
  void run(const std::stop_token& stop);

  std::mutex m_mutex;
  std::condition_variable_any m_posted;
  std::deque<Job> m_jobs;
  // Last: it stops and joins before what it works on goes.
  std::jthread m_thread;
};

}  // namespace tcpscope
