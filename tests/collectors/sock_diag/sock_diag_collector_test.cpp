#include "collectors/sock_diag/sock_diag_collector.h"

#include <gtest/gtest.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "collectors/sock_diag/netlink_socket.h"
#include "tests/support/loopback_connection.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;

TEST(SlotSchedule, KeepsItsSlotsWhenSamplesComeLate) {
  SlotSchedule slots;
  const Moment start = Moment::fromNanoseconds(1000);
  slots.start(start, 10us);
  EXPECT_TRUE(slots.isDue(start));
  EXPECT_EQ(slots.take(start + 3us), 0U) << "late, but within its slot";
  EXPECT_EQ(slots.next(), start + 10us);
  EXPECT_FALSE(slots.isDue(start + 9us));
}

TEST(SlotSchedule, CountsSlotsThatPassedUnused) {
  SlotSchedule slots;
  const Moment start = Moment::fromNanoseconds(1000);
  slots.start(start, 10us);
  EXPECT_EQ(slots.take(start + 35us), 3U);
  EXPECT_EQ(slots.next(), start + 40us);
}

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
  testing::Descriptor m_event;
  std::mutex m_mutex;
  CollectorRequest m_request;
};

/// A collector on a thread of its own, and what it has handed on.
class RunningCollector {
public:
  RunningCollector() : m_collector(std::move(*SockDiagCollector::open(ownSockDiagAccess(), {}))) {
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
    return m_changed.wait_for(lock, 30s, [this, &enough] { return enough(m_batches); });
  }

  TestRequests requests;

private:
  std::unique_ptr<SockDiagCollector> m_collector;
  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::vector<ObservationBatch> m_batches;
  std::jthread m_thread;
};

using Batches = std::vector<ObservationBatch>;

std::optional<SocketObservation> findSocket(const Batches& batches, std::uint64_t cookie) {
  for (const ObservationBatch& batch : batches) {
    for (const SocketObservation& socket : batch.changed) {
      if (socket.id.cookie == cookie) return socket;
    }
  }
  return std::nullopt;
}

TEST(SockDiagCollector, GivesListAndFocusAndStopsWhenToldTo) {
  const testing::LoopbackListener listener;
  const auto [client, server] = listener.connect();
  const std::uint64_t cookie = testing::cookieOf(client);
  RunningCollector collector;
  std::optional<SocketObservation> seen;
  ASSERT_TRUE(collector.waitUntil([&seen, cookie](const Batches& batches) {
    seen = findSocket(batches, cookie);
    return seen.has_value();
  }));

  CollectorRequest request;
  request.focus = SocketAddress{seen->id, seen->local, seen->remote, seen->interfaceIndex};
  request.focusInterval = 1ms;
  collector.requests.set(request);
  EXPECT_TRUE(collector.waitUntil([cookie](const Batches& batches) {
    return std::count_if(batches.begin(), batches.end(), [cookie](const ObservationBatch& batch) {
             return batch.rate == SampleRate::focus && batch.changed.size() == 1 &&
                    batch.changed.front().id.cookie == cookie;
           }) >= 20;
  })) << "the socket in focus is sampled";
}

TEST(SockDiagCollector, DumpsAgainAtTheInterval) {
  RunningCollector collector;
  CollectorRequest request;
  request.listInterval = 20ms;
  collector.requests.set(request);
  EXPECT_TRUE(collector.waitUntil([](const Batches& batches) {
    return std::count_if(batches.begin(), batches.end(),
                         [](const ObservationBatch& batch) { return batch.dumpEndedAt.has_value(); }) >= 5;
  }));
}

}  // namespace
}  // namespace tcpscope
