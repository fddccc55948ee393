// The emulated path as the kernel's own TCP meets it: what the path says it did is what the hosts' devices counted, and
// what it says to a host is understood there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <fstream>
#include <sstream>

#include "tests/support/path_relay.h"
#include "tests/support/traffic.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;
using lab::PathEventKind;
using test::NetworkHost;
using test::PathRelay;

constexpr std::chrono::seconds kRelayLife{60};

struct Device {
  std::uint64_t receivedBytes = 0;
  std::uint64_t receivedPackets = 0;
  std::uint64_t sentPackets = 0;
};

/// The kernel's counters of the host's device.
Device deviceOf(const NetworkHost& host) {
  std::ifstream file("/proc/" + std::to_string(host.pid()) + "/net/dev");
  Device device;
  for (std::string line; std::getline(file, line);) {
    const std::size_t name = line.find("path0:");
    if (name == std::string::npos) continue;
    std::istringstream columns(line.substr(name + 6));
    std::array<std::uint64_t, 16> values{};
    for (std::uint64_t& value : values) columns >> value;
    device = {values[0], values[1], values[9]};
  }
  return device;
}

class EmulatedPath : public ::testing::Test {
protected:
  void connectHosts(const lab::DuplexSettings& path, const std::map<std::string, std::string>& sysctls = {}) {
    auto sending = NetworkHost::make({"10.77.0.1", 1500, sysctls});
    if (!sending) GTEST_SKIP() << "this machine gives no network namespace: " << sending.error();
    auto receiving = NetworkHost::make({"10.77.0.2", 1500, sysctls});
    if (!receiving) GTEST_SKIP() << "this machine gives no network namespace: " << receiving.error();
    m_sender = std::move(*sending);
    m_receiver = std::move(*receiving);
    const std::array<const NetworkHost*, 2> hosts = {m_sender.get(), m_receiver.get()};
    m_relay = std::make_unique<PathRelay>(hosts, test::betweenTwoHosts(path));
  }
  /// Until this much has come to the receiver.
  void transfer(std::uint64_t bytes) {
    const pid_t reading = m_receiver->start([] { run(test::ReceiverProgram(), kRelayLife); });
    const pid_t writing = m_sender->start([] { run(test::SenderProgram(), kRelayLife); });
    for (int attempt = 0; attempt < 1000 && deviceOf(*m_receiver).receivedBytes < bytes; ++attempt) usleep(20'000);
    EXPECT_GE(deviceOf(*m_receiver).receivedBytes, bytes) << "the transfer did not get through";
    kill(writing, SIGKILL);
    kill(reading, SIGKILL);
  }
  [[nodiscard]] std::size_t count(PathEventKind kind) const {
    const std::vector<lab::PathEvent> events = m_relay->events();
    return static_cast<std::size_t>(
        std::count_if(events.begin(), events.end(), [&](const lab::PathEvent& event) { return event.kind == kind; }));
  }

  std::unique_ptr<NetworkHost> m_sender;
  std::unique_ptr<NetworkHost> m_receiver;
  std::unique_ptr<PathRelay> m_relay;
};

lab::LinkSettings link() {
  lab::LinkSettings settings;
  settings.delay = 5ms;
  settings.rate = BitsPerSecond(50e6);
  return settings;
}

TEST_F(EmulatedPath, LogsEveryPacketThatDidNotArrive) {
  lab::LinkSettings lossy = link();
  lossy.loss = lab::BernoulliLoss{0.01};
  lossy.queue.limit = Bytes(12'000);
  connectHosts({lossy, link()});
  if (IsSkipped()) return;
  transfer(4'000'000);
  const test::RelayResult result = m_relay->stop();
  const Device sender = deviceOf(*m_sender);
  const Device receiver = deviceOf(*m_receiver);
  std::uint64_t inside = 0;
  for (const lab::LinkReport& of : result.report.links) inside += of.counters.packetsInside.value();
  EXPECT_GT(count(PathEventKind::randomLoss), 0U);
  EXPECT_GT(count(PathEventKind::queueDrop), 0U);
  EXPECT_EQ(sender.sentPackets + receiver.sentPackets - sender.receivedPackets - receiver.receivedPackets,
            m_relay->events().size() + inside + result.report.unrouted.value());
  EXPECT_EQ(result.report.deviceDrops, Count(0));
}

TEST_F(EmulatedPath, ReportsItsMtuToTheSender) {
  lab::LinkSettings narrow = link();
  narrow.mtu = Bytes(1300);
  connectHosts(test::bothWays(narrow));
  if (IsSkipped()) return;
  transfer(2'000'000);
  const std::size_t tooLarge = count(PathEventKind::mtuDrop);
  EXPECT_GT(tooLarge, 0U);
  // At most what was sent before the first answer came back.
  EXPECT_LE(tooLarge, 20U);
}

TEST_F(EmulatedPath, DropsLargePacketsSilentlyAsAnMtuBlackHole) {
  lab::LinkSettings hole = link();
  hole.mtu = Bytes(1300);
  hole.mtuIsSilent = true;
  connectHosts(test::bothWays(hole), {{"tcp_mtu_probing", "0"}});
  if (IsSkipped()) return;
  m_receiver->start([] { run(test::ReceiverProgram(), kRelayLife); });
  m_sender->start([] { run(test::SenderProgram(), kRelayLife); });
  // The first flight, and at least two timeouts.
  for (int attempt = 0; attempt < 1000 && count(PathEventKind::mtuDrop) < 12; ++attempt) usleep(20'000);
  EXPECT_GE(count(PathEventKind::mtuDrop), 12U);
  EXPECT_LT(deviceOf(*m_receiver).receivedBytes, 3'000U);
}

TEST_F(EmulatedPath, MarksPacketsThatTheReceiverStillTakes) {
  lab::LinkSettings marking = link();
  lab::RandomEarlyDetection early;
  early.minimum = Bytes(20'000);
  early.maximum = Bytes(150'000);
  early.weight = 0.02;
  early.marksEcn = true;
  marking.queue = {Bytes(300'000), early};
  connectHosts({marking, link()}, {{"tcp_ecn", "1"}});
  if (IsSkipped()) return;
  transfer(8'000'000);
  EXPECT_GT(count(PathEventKind::ecnMark), 0U);
  // A sender that heard of the marks keeps the queue short.
  EXPECT_EQ(count(PathEventKind::queueDrop), 0U);
}

}  // namespace
}  // namespace tcpscope
