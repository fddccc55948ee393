#include "app/session/bounded_queue.h"

#include <utility>

namespace tcpscope {

namespace {

std::size_t weightOf(const ObservationBatch& batch) {
  return 1 + batch.changed.size() + batch.closed.size() + batch.owners.size();
}

}  // namespace

bool BoundedQueue::fits(std::size_t weight) const {
  return m_batches.empty() || m_weight + weight <= m_capacity;
}

void BoundedQueue::append(ObservationBatch&& batch, std::size_t weight) {
  m_batches.push_back(std::move(batch));
  m_weight += weight;
}

bool BoundedQueue::push(ObservationBatch&& batch) {
  const std::size_t weight = weightOf(batch);
  {
    const std::lock_guard lock(m_mutex);
    if (m_closed || !fits(weight)) {
      ++m_refused;
      return false;
    }
    append(std::move(batch), weight);
  }
  m_filled.notify_one();
  return true;
}

bool BoundedQueue::pushWaiting(ObservationBatch&& batch, std::stop_token stop) {
  const std::size_t weight = weightOf(batch);
  {
    std::unique_lock lock(m_mutex);
    const bool room = m_drained.wait(lock, std::move(stop), [&] { return m_closed || fits(weight); });
    if (!room || m_closed) {
      ++m_refused;
      return false;
    }
    append(std::move(batch), weight);
  }
  m_filled.notify_one();
  return true;
}

std::vector<ObservationBatch> BoundedQueue::takeAll(Deadline deadline) {
  std::vector<ObservationBatch> taken;
  {
    std::unique_lock lock(m_mutex);
    m_filled.wait_until(lock, deadline, [&] { return m_closed || m_woken || !m_batches.empty(); });
    taken.swap(m_batches);
    m_weight = 0;
    m_woken = false;
  }
  m_drained.notify_all();
  return taken;
}

void BoundedQueue::wake() {
  {
    const std::lock_guard lock(m_mutex);
    m_woken = true;
  }
  m_filled.notify_one();
}

void BoundedQueue::close() {
  {
    const std::lock_guard lock(m_mutex);
    m_closed = true;
  }
  m_filled.notify_all();
  m_drained.notify_all();
}

std::uint64_t BoundedQueue::refused() const {
  const std::lock_guard lock(m_mutex);
  return m_refused;
}

}  // namespace tcpscope
