// A collector on a thread of its own, as app/session runs it, with requests from the test and a record of its batches.
#pragma once

#include <sys/eventfd.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "collectors/source/collector.h"
#include "tests/support/loopback_connection.h"

namespace tcpscope::test {

/// Requests from a test, with a descriptor that wakes the collector.
class TestRequests final : public RequestSource {
public:
  TestRequests() : m_event(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

  [[nodiscard]] int wakeDescriptor() const override { return m_event.number(); }
  CollectorRequest take() override {
    const std::lock_guard lock(m_mutex);
    std::uint64_t count = 0;
    // Empty when nothing waits; that is no error here.
    if (read(m_event.number(), &count, sizeof count) < 0) count = 0;
    return m_request;
  }
  void set(const CollectorRequest& request) {
    const std::lock_guard lock(m_mutex);
    m_request = request;
    wake();
  }
  void wake() const {
    const std::uint64_t one = 1;
    if (write(m_event.number(), &one, sizeof one) < 0) throw std::runtime_error("cannot wake the collector");
  }

private:
  Descriptor m_event;
  std::mutex m_mutex;
  CollectorRequest m_request;
};

/// A collector on a thread of its own, and what it has handed on.
class RunningCollector {
public:
  explicit RunningCollector(std::unique_ptr<Collector> collector) : m_collector(std::move(collector)) {
    m_thread = std::jthread([this](const std::stop_token& stop) {
      m_collector->run(stop, requests, [this](ObservationBatch&& batch) {
        const std::lock_guard lock(m_mutex);
        m_batches.push_back(std::move(batch));
        m_changed.notify_all();
        return true;
      });
    });
  }
  RunningCollector(const RunningCollector&) = delete;
  RunningCollector& operator=(const RunningCollector&) = delete;
  ~RunningCollector() {
    m_thread.request_stop();
    requests.wake();
  }

  /// Waits until `enough(batches)` holds; false when that does not happen in a generous time.
  template <class Enough>
  bool waitUntil(Enough enough) {
    std::unique_lock lock(m_mutex);
    return m_changed.wait_for(lock, std::chrono::seconds(30), [this, &enough] { return enough(m_batches); });
  }

  /// What it has handed on so far.
  [[nodiscard]] std::vector<ObservationBatch> batches() {
    const std::lock_guard lock(m_mutex);
    return m_batches;
  }

  TestRequests requests;

private:
  std::unique_ptr<Collector> m_collector;
  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::vector<ObservationBatch> m_batches;
  std::jthread m_thread;
};

}  // namespace tcpscope::test
