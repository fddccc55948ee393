// Between the collectors' threads and the analysis thread: batches in order, bounded, and what does not fit is refused
// and counted.
//
// A batch weighs as many units as it carries observations, plus one; texts and settings weigh by their bytes. A batch
// of any weight fits into an empty queue, so that none is refused for ever.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <stop_token>
#include <vector>

#include "core/model/socket_observation.h"

namespace tcpscope {

class BoundedQueue {
public:
  using Deadline = std::chrono::steady_clock::time_point;

  /// `capacity` is the weight that may wait.
  explicit BoundedQueue(std::size_t capacity) : m_capacity(capacity) {}

  /// False when there is no room or the queue is closed: then the batch is left as it was, and counted.
  bool push(ObservationBatch&& batch);
  /// As push() with an eighth of the room: for what another program sends as fast as it likes, and who sends it can
  /// wait.
  bool pushFromOutside(ObservationBatch&& batch);
  /// Waits for room. False when the stop came first, or the queue is closed.
  bool pushWaiting(ObservationBatch&& batch, std::stop_token stop);
  /// Waits until a weight of `enough` waits, wake() was called, the queue is closed or the deadline has passed, and
  /// takes all. A taker that is in no hurry names more than 1: a thousand small batches a second do not wake it each.
  std::vector<ObservationBatch> takeAll(Deadline deadline, std::size_t enough = 1);
  /// Lets the taker go round once, with or without a batch.
  void wake();
  /// From now on every batch is refused, and no call waits.
  void close();

  [[nodiscard]] std::uint64_t refused() const;

private:
  bool push(ObservationBatch&& batch, std::size_t capacity);
  [[nodiscard]] bool fits(std::size_t weight, std::size_t capacity) const;
  /// Does the taker want to know?
  bool append(ObservationBatch&& batch, std::size_t weight);

  const std::size_t m_capacity;
  mutable std::mutex m_mutex;
  std::condition_variable m_filled;
  std::condition_variable_any m_drained;
  std::vector<ObservationBatch> m_batches;
  std::size_t m_weight = 0;
  /// The taker is woken from this weight on.
  std::size_t m_enough = 1;
  std::uint64_t m_refused = 0;
  bool m_woken = false;
  bool m_closed = false;
};

}  // namespace tcpscope
