// Both ends of a probe over loopback, with real sockets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <future>

#include "app/probe/probe_listener.h"
#include "app/probe/probe_sender.h"
#include "app/probe/socket_address.h"
#include "collectors/system/monotonic_clock.h"
#include "core/wire/probe/probe_packet.h"

namespace tcpscope {
namespace {

using Kind = ProbeError::Kind;

class ProbeTest : public testing::Test {
protected:
  void SetUp() override {
    auto listener = ProbeListener::open(0, m_wake.get());
    ASSERT_TRUE(listener);
    m_listener.emplace(std::move(*listener));
  }
  [[nodiscard]] Endpoint listenerAt(const IpAddress& address) const { return {address, m_listener->port()}; }
  [[nodiscard]] static IpAddress loopback() { return IpAddress::v4({127, 0, 0, 1}); }
  [[nodiscard]] static ProbeRunPlan plan(std::uint64_t bytes) { return {Bytes(bytes), 100, Milliseconds(1)}; }
  /// Serves one sender beside the test.
  std::future<Expected<ServedProbe, ProbeError>> serve() {
    return std::async(std::launch::async, [this] { return m_listener->serveOne(); });
  }
  /// How the listener ends after these lines and no more.
  Expected<ServedProbe, ProbeError> say(const std::string& lines) {
    auto served = serve();
    const IpSocketAddress address = ipSocketAddress(listenerAt(loopback()));
    const OwnedDescriptor stream(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    EXPECT_EQ(connect(stream.get(), address.get(), address.size), 0);
    EXPECT_EQ(send(stream.get(), lines.data(), lines.size(), MSG_NOSIGNAL), static_cast<ssize_t>(lines.size()));
    shutdown(stream.get(), SHUT_WR);
    return served.get();
  }

  OwnedDescriptor m_wake{eventfd(0, EFD_CLOEXEC)};
  std::optional<ProbeListener> m_listener;
};

void expectAllArrived(const Expected<ProbeRun, ProbeError>& run) {
  ASSERT_TRUE(run) << static_cast<int>(run.error().kind);
  EXPECT_EQ(run->sent.times.size(), 100U);
  EXPECT_EQ(run->sent.refused, 0U);
  EXPECT_EQ(run->received.packets, 100U);
  EXPECT_EQ(run->received.duplicates, 0U);
  EXPECT_EQ(run->received.overflowed.value_or(0), 0U);
  EXPECT_FALSE(run->sent.rtts.empty());
}

TEST_F(ProbeTest, CountsEveryPacketOfBothRuns) {
  auto served = serve();
  auto sender = ProbeSender::connect(listenerAt(loopback()), m_wake.get());
  ASSERT_TRUE(sender);
  expectAllArrived(sender->run(plan(48)));
  expectAllArrived(sender->run(plan(400)));
  sender->finish();
  const auto end = served.get();
  ASSERT_TRUE(end);
  EXPECT_EQ(end->runs.size(), 2U);
}

TEST_F(ProbeTest, WorksOverIpv6) {
  auto served = serve();
  std::array<std::uint8_t, 16> bytes{};
  bytes.back() = 1;
  auto sender = ProbeSender::connect(listenerAt(IpAddress::v6(bytes)), m_wake.get());
  if (!sender) {
    eventfd_write(m_wake.get(), 1);
    // Any other error is a fault of the program.
    ASSERT_THAT(sender.error().errorNumber, testing::AnyOf(EADDRNOTAVAIL, EAFNOSUPPORT, ENETUNREACH));
    GTEST_SKIP() << "no IPv6 on this machine's loopback device";
  }
  expectAllArrived(sender->run(plan(48)));
  sender->finish();
  EXPECT_TRUE(served.get());
}

TEST_F(ProbeTest, DoesNotCountWhatAStrangerSends) {
  auto served = serve();
  auto sender = ProbeSender::connect(listenerAt(loopback()), m_wake.get());
  ASSERT_TRUE(sender);
  const IpSocketAddress address = ipSocketAddress(listenerAt(loopback()));
  const OwnedDescriptor stranger(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  const auto run = sender->run(plan(48), [&](const ProbeRunPlan& /*plan*/, std::uint32_t sent) {
    const auto bytes = encoded({0x1234, sent % 100, true, Nanoseconds(0)});
    sendto(stranger.get(), bytes.data(), bytes.size(), 0, address.get(), address.size);
  });
  expectAllArrived(run);
  std::array<char, 64> answer{};
  EXPECT_LT(recv(stranger.get(), answer.data(), answer.size(), MSG_DONTWAIT), 0) << "nothing is sent back to it";
  sender->finish();
  EXPECT_TRUE(served.get());
}

TEST_F(ProbeTest, RefusesWhatIsNoProbe) {
  const auto served = say("GET / HTTP/1.1\r\n\r\n");
  ASSERT_FALSE(served);
  EXPECT_EQ(served.error().kind, Kind::notAProbe);
}

TEST_F(ProbeTest, RefusesMoreThanItsLimits) {
  const auto served = say("tcpscope-probe 1\nrun 48 4000000000 1000000 feed\n");
  ASSERT_FALSE(served);
  EXPECT_EQ(served.error().kind, Kind::refused);
}

TEST_F(ProbeTest, EndsWithItsSender) {
  const auto served = say("tcpscope-probe 1\nrun 48 10 1000000 feed\n");
  ASSERT_FALSE(served);
  EXPECT_EQ(served.error().kind, Kind::ended);
}

TEST_F(ProbeTest, EndsWhenItIsWoken) {
  auto served = serve();
  eventfd_write(m_wake.get(), 1);
  const auto end = served.get();
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().kind, Kind::interrupted);
}

TEST_F(ProbeTest, WaitsForASenderUntilAMoment) {
  const auto served = m_listener->serveOne(monotonicNow());
  ASSERT_FALSE(served);
  EXPECT_EQ(served.error().kind, Kind::silent);
}

TEST_F(ProbeTest, IsUnreachableWhereNothingListens) {
  const Endpoint gone = listenerAt(loopback());
  m_listener.reset();
  const auto sender = ProbeSender::connect(gone, m_wake.get());
  ASSERT_FALSE(sender);
  EXPECT_EQ(sender.error().kind, Kind::unreachable);
  EXPECT_EQ(sender.error().errorNumber, ECONNREFUSED);
}

}  // namespace
}  // namespace tcpscope
