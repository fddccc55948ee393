#include "app/session/bounded_queue.h"

#include <algorithm>
#include <utility>

#include "core/host/place.h"
#include "core/host/sysctl_values.h"

namespace tcpscope {

namespace {

/// Of what may be of any size: what a socket takes weighs 1.
std::size_t weightOfBytes(std::size_t bytes) {
  constexpr std::size_t kSocketBytes = 512;
  return bytes / kSocketBytes;
}

std::size_t textBytes(const ChangeMark& mark) {
  return mark.key.rawBytes().size() + mark.before.rawBytes().size() + mark.after.rawBytes().size();
}

std::size_t bytesOf(const SysctlValues& settings) {
  constexpr std::size_t kEntry = 128;
  std::size_t bytes = 0;
  for (const auto& [key, value] : settings.all()) bytes += kEntry + key.size() + value.size();
  return bytes;
}

std::size_t weightOf(const ObservationBatch& batch) {
  const std::size_t weight = 1 + batch.changed.size() + batch.closed.size() + batch.owners.size() +
                             batch.liveOptions.size() + batch.programWaits.size() + batch.retransmissions.size() +
                             batch.events.size() + batch.changeMarks.size() + batch.gaps.size();
  std::size_t bytes = batch.settings ? bytesOf(*batch.settings) : 0;
  if (batch.appeared) bytes += batch.appeared->host.rawBytes().size() + batch.appeared->kernel.rawBytes().size();
  for (const OwnerObservation& observed : batch.owners) bytes += bytesOf(observed.owner);
  for (const SourceEvent& event : batch.events) bytes += event.payload.size();
  for (const ChangeMark& mark : batch.changeMarks) bytes += textBytes(mark);
  return weight + weightOfBytes(bytes);
}

}  // namespace

bool BoundedQueue::fits(std::size_t weight, std::size_t capacity) const {
  return m_batches.empty() || m_weight + weight <= capacity;
}

bool BoundedQueue::append(ObservationBatch&& batch, std::size_t weight) {
  m_batches.push_back(std::move(batch));
  m_weight += weight;
  return m_weight >= m_enough;
}

bool BoundedQueue::push(ObservationBatch&& batch) {
  return push(std::move(batch), m_capacity);
}

bool BoundedQueue::pushFromOutside(ObservationBatch&& batch) {
  constexpr std::size_t kShare = 8;
  return push(std::move(batch), m_capacity / kShare);
}

bool BoundedQueue::push(ObservationBatch&& batch, std::size_t capacity) {
  const std::size_t weight = weightOf(batch);
  bool isEnough = false;
  {
    const std::lock_guard lock(m_mutex);
    if (m_closed || !fits(weight, capacity)) {
      ++m_refused;
      return false;
    }
    isEnough = append(std::move(batch), weight);
  }
  if (isEnough) m_filled.notify_one();
  return true;
}

bool BoundedQueue::pushWaiting(ObservationBatch&& batch, std::stop_token stop) {
  const std::size_t weight = weightOf(batch);
  bool isEnough = false;
  {
    std::unique_lock lock(m_mutex);
    const bool room = m_drained.wait(lock, std::move(stop), [&] { return m_closed || fits(weight, m_capacity); });
    if (!room || m_closed) {
      ++m_refused;
      return false;
    }
    isEnough = append(std::move(batch), weight);
  }
  if (isEnough) m_filled.notify_one();
  return true;
}

std::vector<ObservationBatch> BoundedQueue::takeAll(Deadline deadline, std::size_t enough) {
  std::vector<ObservationBatch> taken;
  {
    std::unique_lock lock(m_mutex);
    // A full queue refuses batches, so that waiting for more than half of its capacity could lose some.
    m_enough = std::clamp<std::size_t>(m_capacity / 2, 1, enough);
    m_filled.wait_until(lock, deadline, [&] { return m_closed || m_woken || m_weight >= m_enough; });
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
