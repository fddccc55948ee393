// The collector of retransmissions on this kernel, where the test may trace.
#include "collectors/tracepoint/retransmission_collector.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <thread>

#include "collectors/system/monotonic_clock.h"
#include "collectors/system/owned_descriptor.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;

/// A listener on loopback with a full queue: a client retransmits its SYN after a second.
class FullListener {
public:
  FullListener() : m_listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    bind(m_listener.get(), reinterpret_cast<const sockaddr*>(&address), length);
    listen(m_listener.get(), 0);
    getsockname(m_listener.get(), reinterpret_cast<sockaddr*>(&address), &length);
    m_port = ntohs(address.sin_port);
    for (int client = 0; client < 4; ++client) {
      OwnedDescriptor& one = m_clients.emplace_back(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
      connect(one.get(), reinterpret_cast<const sockaddr*>(&address), length);
    }
  }
  [[nodiscard]] std::uint16_t port() const { return m_port; }

private:
  OwnedDescriptor m_listener;
  std::vector<OwnedDescriptor> m_clients;
  std::uint16_t m_port = 0;
};

TEST(RetransmissionCollector, ReportsWhatTheKernelRetransmits) {
  const auto collector = RetransmissionCollector::open(PlaceId{7});
  if (!collector) GTEST_SKIP() << "this process may not trace";
  const Moment start = monotonicNow();
  const FullListener listener;
  std::optional<RetransmissionEvent> seen;
  while (!seen && monotonicNow() - start < 30s) {
    (*collector)->collect([&](ObservationBatch&& batch) {
      EXPECT_EQ(batch.place, PlaceId{7});
      EXPECT_TRUE(batch.reportsRetransmissions);
      for (const RetransmissionEvent& event : batch.retransmissions) {
        if (event.remote.port == listener.port()) seen = event;
      }
      return true;
    });
    std::this_thread::sleep_for(10ms);
  }
  ASSERT_TRUE(seen) << "an unanswered SYN is retransmitted";
  EXPECT_TRUE(seen->remote.address.isLoopback());
  EXPECT_GT(seen->at, start);
  EXPECT_LE(seen->at, monotonicNow());
}

class TraceFolder {
public:
  TraceFolder() { std::filesystem::create_directories(m_path / "events/tcp/tcp_retransmit_skb"); }
  TraceFolder(const TraceFolder&) = delete;
  TraceFolder& operator=(const TraceFolder&) = delete;
  ~TraceFolder() { std::filesystem::remove_all(m_path); }
  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
  void describe(const std::string& text) const {
    std::ofstream(m_path / "events/tcp/tcp_retransmit_skb/format") << text;
  }

private:
  std::filesystem::path m_path =
      std::filesystem::temp_directory_path() / ("tcpscope-tracefs-" + std::to_string(getpid()));
};

TEST(RetransmissionCollector, ReportsWhyItCannotRun) {
  const TraceFolder folder;
  EXPECT_EQ(RetransmissionCollector::open(PlaceId{}, folder.path()).error(), CapabilityReason::notSupported)
      << "a kernel without the event";
  folder.describe("name: tcp_retransmit_skb\nID: 1\nformat:\n");
  EXPECT_EQ(RetransmissionCollector::open(PlaceId{}, folder.path()).error(), CapabilityReason::notSupported)
      << "an event without the connection's addresses";
}

}  // namespace
}  // namespace tcpscope
