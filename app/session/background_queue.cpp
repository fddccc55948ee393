#include "app/session/background_queue.h"

#include <utility>

namespace tcpscope {

BackgroundQueue::BackgroundQueue() : m_thread([this](const std::stop_token& stop) { run(stop); }) {}

void BackgroundQueue::post(Job job) {
  {
    const std::lock_guard lock(m_mutex);
    m_jobs.push_back(std::move(job));
  }
  m_posted.notify_one();
}

void BackgroundQueue::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    Job job;
    {
      std::unique_lock lock(m_mutex);
      if (!m_posted.wait(lock, stop, [&] { return !m_jobs.empty(); })) return;
      job = std::move(m_jobs.front());
      m_jobs.pop_front();
    }
    job(stop);
  }
}

}  // namespace tcpscope
