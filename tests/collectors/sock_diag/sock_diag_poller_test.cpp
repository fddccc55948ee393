#include "collectors/sock_diag/sock_diag_poller.h"
#include "collectors/system/monotonic_clock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>

#include "collectors/sock_diag/netlink_socket.h"
#include "tests/support/loopback_connection.h"

namespace tcpscope {
namespace {

using test::Descriptor;
using test::LoopbackListener;

/// Everything that came in one or several batches.
struct Received {
  std::map<std::uint64_t, SocketObservation> changed;
  std::map<std::uint64_t, ClosedSocket> closed;
  std::map<GapKind, std::uint64_t> gaps;
  std::uint64_t unchanged = 0;
  std::size_t batches = 0;
  std::size_t largestBatch = 0;
  std::size_t dumps = 0;

  ObservationSink sink() {
    return [this](ObservationBatch&& batch) {
      ++batches;
      largestBatch = std::max(largestBatch, batch.changed.size());
      unchanged += batch.unchanged;
      if (batch.dumpEndedAt) ++dumps;
      for (SocketObservation& socket : batch.changed) changed[socket.id.cookie] = std::move(socket);
      for (ClosedSocket& socket : batch.closed) closed[socket.id.cookie] = std::move(socket);
      for (const CollectionGap& gap : batch.gaps) gaps[gap.kind] += gap.count;
      return true;
    };
  }
};

std::unique_ptr<SockDiagPoller> openPoller(SockDiagSettings settings = {}) {
  auto poller = SockDiagPoller::open(ownSockDiagAccess(), settings);
  if (!poller) throw std::runtime_error("no socket diagnosis here");
  return std::move(*poller);
}

Received poll(SockDiagPoller& poller) {
  Received received;
  poller.pollOnce(received.sink());
  return received;
}

TEST(SockDiagPoller, ShowsBothEndsOfAConnectionWithEverythingTheKernelKnows) {
  const LoopbackListener listener;
  const auto [client, server] = listener.connect();
  const std::unique_ptr<SockDiagPoller> poller = openPoller();
  const Received received = poll(*poller);

  ASSERT_TRUE(received.changed.contains(test::cookieOf(client)));
  ASSERT_TRUE(received.changed.contains(test::cookieOf(server)));
  const SocketObservation& seen = received.changed.at(test::cookieOf(client));
  EXPECT_EQ(seen.remote.port, listener.port());
  EXPECT_TRUE(seen.remote.address.isLoopback());
  EXPECT_EQ(seen.state, TcpState::established);
  EXPECT_EQ(seen.info.state(), TcpState::established);
  EXPECT_GE(seen.info.bytes().size(), 232U) << "Linux 5.4 and later report that much";
  EXPECT_TRUE(seen.memory.has_value());
  EXPECT_FALSE(seen.congestionControl.empty());
  EXPECT_EQ(seen.userId, getuid());
  EXPECT_NE(seen.inode, 0U);
  EXPECT_FALSE(seen.unchangedUntil.has_value()) << "it was never seen before";
  EXPECT_EQ(received.dumps, 1U);
}

TEST(SockDiagPoller, ShowsIpv6AndListeners) {
  const LoopbackListener listener(AF_INET6);
  const auto [client, server] = listener.connect();
  const std::unique_ptr<SockDiagPoller> poller = openPoller();
  const Received received = poll(*poller);

  EXPECT_EQ(received.changed.at(test::cookieOf(client)).remote.toString(), "[::1]:" + std::to_string(listener.port()));
  EXPECT_THAT(received.changed, ::testing::Contains(::testing::Truly([&listener](const auto& entry) {
                return entry.second.state == TcpState::listen && entry.second.local.port == listener.port() &&
                       entry.second.sendQueue == Bytes(4096);
              })));
}

TEST(SockDiagPoller, HandsAnIdleConnectionOnOnlyOnce) {
  const LoopbackListener listener;
  const auto [client, server] = listener.connect();
  const std::unique_ptr<SockDiagPoller> poller = openPoller();
  poll(*poller);
  const Received second = poll(*poller);

  EXPECT_FALSE(second.changed.contains(test::cookieOf(client)));
  EXPECT_GE(second.unchanged, 3U) << "both ends and the listener";
  EXPECT_EQ(second.closed.count(test::cookieOf(client)), 0U);
}

TEST(SockDiagPoller, ReportsAChangeAndTheTimeOfTheLastUnchangedSample) {
  const LoopbackListener listener;
  const auto [client, server] = listener.connect();
  const std::unique_ptr<SockDiagPoller> poller = openPoller();
  poll(*poller);
  const Moment betweenDumps = monotonicNow();
  ASSERT_EQ(send(client.number(), "hello", 5, 0), 5);
  const Received second = poll(*poller);

  ASSERT_TRUE(second.changed.contains(test::cookieOf(server)));
  const SocketObservation& seen = second.changed.at(test::cookieOf(server));
  EXPECT_EQ(seen.receiveQueue, Bytes(5));
  ASSERT_TRUE(seen.unchangedUntil.has_value());
  EXPECT_LT(*seen.unchangedUntil, betweenDumps);
  EXPECT_GT(seen.takenAt, betweenDumps);
}

TEST(SockDiagPoller, CountsAllAsUnchangedWithoutAskingTheKernel) {
  const LoopbackListener listener;
  const auto [client, server] = listener.connect();
  const std::unique_ptr<SockDiagPoller> poller = openPoller();
  poll(*poller);
  const Moment before = monotonicNow();
  Received second;
  poller->reportUnchanged(second.sink());
  EXPECT_TRUE(second.changed.empty());
  EXPECT_EQ(second.unchanged, poller->table().size());
  EXPECT_EQ(second.dumps, 1U);
  ASSERT_EQ(send(client.number(), "hello", 5, 0), 5);
  const Received third = poll(*poller);
  ASSERT_TRUE(third.changed.contains(test::cookieOf(server)));
  EXPECT_GE(third.changed.at(test::cookieOf(server)).unchangedUntil, before);
}

TEST(SockDiagPoller, CallsAConnectionClosedWhenAnExactRequestFindsNothing) {
  const LoopbackListener listener;
  auto [client, server] = listener.connect();
  const std::uint64_t cookie = test::cookieOf(client);
  const std::unique_ptr<SockDiagPoller> poller = openPoller();
  poll(*poller);
  test::reset(client);
  const Received second = poll(*poller);

  ASSERT_TRUE(second.closed.contains(cookie));
  EXPECT_FALSE(second.changed.contains(cookie));
  EXPECT_FALSE(poller->table().contains(cookie));
  EXPECT_EQ(poll(*poller).closed.count(cookie), 0U) << "it is reported once";
}

/// Twenty, which two dumps have shown.
struct KnownConnections {
  KnownConnections() {
    while (held.size() < 20) held.push_back(listener.connect());
    poller = openPoller();
    poll(*poller);
    poll(*poller);
  }

  LoopbackListener listener;
  std::vector<std::pair<Descriptor, Descriptor>> held;
  std::unique_ptr<SockDiagPoller> poller;
};

TEST(SockDiagPoller, AsksForEachOfManyKnownSockets) {
  auto [listener, held, poller] = KnownConnections();
  const std::size_t known = poller->table().size();
  ASSERT_EQ(send(held[17].first.number(), "hello", 5, 0), 5);
  const std::uint64_t goneCookie = test::cookieOf(held[3].first);
  test::reset(held[3].first);
  const auto unknown = listener.connect();

  Received received;
  EXPECT_FALSE(poller->pollKnown(received.sink())) << "one connection has gone";
  EXPECT_EQ(received.dumps, 1U) << "all are known to be as they were";
  EXPECT_TRUE(received.changed.contains(test::cookieOf(held[17].first)));
  EXPECT_TRUE(received.changed.contains(test::cookieOf(held[17].second)));
  EXPECT_FALSE(received.changed.contains(test::cookieOf(held[5].first)));
  EXPECT_FALSE(poller->table().contains(test::cookieOf(unknown.first)));
  EXPECT_EQ(received.unchanged + received.changed.size() + 2, known) << "nothing is known of both its ends";
  EXPECT_TRUE(received.closed.empty());
  EXPECT_TRUE(received.gaps.empty());
  EXPECT_TRUE(poll(*poller).closed.contains(goneCookie)) << "after a dump";
}

TEST(SockDiagPoller, AsksForTheOthersUnlessTheyAreSaidToBeUnchanged) {
  auto [listener, held, poller] = KnownConnections();
  const std::size_t known = poller->table().size();
  const std::uint64_t active = test::cookieOf(held[17].first);
  for (const std::size_t sender : {17U, 5U}) ASSERT_EQ(send(held[sender].first.number(), "hello", 5, 0), 5);

  SockDiagPoller::KnownPoll how;
  how.isFirst = [active](std::uint64_t cookie) { return cookie == active; };
  std::size_t others = 0;
  Received first;
  bool wasTaken = false;
  how.areOthersUnchanged = [&](std::size_t count) {
    others = count;
    wasTaken = first.changed.contains(active);
    return true;
  };
  EXPECT_TRUE(poller->pollKnown(first.sink(), how));
  EXPECT_EQ(others, known - 1);
  EXPECT_TRUE(wasTaken) << "before it is to be known";
  EXPECT_EQ(first.changed.size(), 1U);
  EXPECT_EQ(first.unchanged, known - 1);
  EXPECT_EQ(first.dumps, 1U);

  how.areOthersUnchanged = [](std::size_t) { return false; };
  Received second;
  EXPECT_TRUE(poller->pollKnown(second.sink(), how));
  EXPECT_TRUE(second.changed.contains(test::cookieOf(held[5].first)));
  EXPECT_EQ(second.changed.size() + second.unchanged, known);
}

TEST(SockDiagPoller, ClosesNoneOfTheListenersOnOnePort) {
  std::vector<Descriptor> listeners;
  for (int count = 0; count < 4; ++count) {
    Descriptor& one = listeners.emplace_back(::socket(AF_INET, SOCK_STREAM, 0));
    const int on = 1;
    ASSERT_EQ(setsockopt(one.number(), SOL_SOCKET, SO_REUSEPORT, &on, sizeof on), 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(count == 0 ? 0 : test::portOf(listeners.front()));
    ASSERT_EQ(bind(one.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    ASSERT_EQ(listen(one.number(), 1), 0);
  }
  const std::unique_ptr<SockDiagPoller> poller = openPoller();
  poll(*poller);
  Received received;
  EXPECT_FALSE(poller->pollKnown(received.sink())) << "a request finds one of them";
  EXPECT_TRUE(received.closed.empty());
  for (const Descriptor& one : listeners) EXPECT_TRUE(poller->table().contains(test::cookieOf(one)));
  EXPECT_TRUE(poll(*poller).closed.empty());
}

TEST(SockDiagPoller, KeepsAConnectionThatTheDumpDoesNotShowButTheKernelStillHas) {
  const LoopbackListener listener;
  const auto [client, server] = listener.connect();
  const std::unique_ptr<SockDiagPoller> poller = openPoller();
  poll(*poller);
  poller->setFilter(1U << static_cast<unsigned>(TcpState::listen), {});
  const Received second = poll(*poller);

  EXPECT_FALSE(second.closed.contains(test::cookieOf(client)));
  EXPECT_TRUE(poller->table().contains(test::cookieOf(client)));
}

TEST(SockDiagPoller, ReportsTheLastFiguresOfADestroyedSocket) {
  const LoopbackListener listener;
  auto [client, server] = listener.connect();
  const std::uint64_t cookie = test::cookieOf(server);
  const std::unique_ptr<SockDiagPoller> poller = openPoller();
  if (poller->destroyDescriptor() < 0) GTEST_SKIP() << "the kernel sends no notifications of destroyed sockets";
  poll(*poller);
  std::array<char, 5> text{};
  ASSERT_EQ(send(client.number(), "hello", 5, 0), 5);
  ASSERT_EQ(recv(server.number(), text.data(), text.size(), MSG_WAITALL), 5);
  client.close();
  server.close();
  Received received;
  const Moment deadline = monotonicNow() + std::chrono::seconds(20);
  while (!received.closed.contains(cookie) && monotonicNow() < deadline) poller->takeDestroyed(received.sink());

  ASSERT_TRUE(received.closed.contains(cookie));
  ASSERT_TRUE(received.closed.at(cookie).last.has_value());
  EXPECT_EQ(received.closed.at(cookie).last->info.bytesReceived(), Bytes(6)) << "the FIN takes a place in the sequence";
  EXPECT_EQ(received.closed.at(cookie).last->local.port, listener.port());
  EXPECT_FALSE(poller->table().contains(cookie));
}

TEST(SockDiagPoller, LeavesOutDestroyedSocketsThatTheFilterRulesOut) {
  const LoopbackListener listener;
  const LoopbackListener other;
  auto [client, server] = listener.connect();
  auto [otherClient, otherServer] = other.connect();
  const std::uint64_t wanted = test::cookieOf(server);
  const std::uint64_t unwanted = test::cookieOf(otherServer);
  const std::unique_ptr<SockDiagPoller> poller = openPoller();
  if (poller->destroyDescriptor() < 0) GTEST_SKIP() << "the kernel sends no notifications of destroyed sockets";
  const auto filter = ConnectionFilter::parse("sport = :" + std::to_string(listener.port())).value();
  poller->setFilter(filter.stateMask(), filter.root());
  for (Descriptor* end : {&otherClient, &otherServer, &client, &server}) end->close();
  Received received;
  const Moment deadline = monotonicNow() + std::chrono::seconds(20);
  while (!received.closed.contains(wanted) && monotonicNow() < deadline) poller->takeDestroyed(received.sink());

  EXPECT_TRUE(received.closed.contains(wanted)) << "no dump had shown it";
  EXPECT_FALSE(received.closed.contains(unwanted));
}

TEST(SockDiagPoller, CutsALargeDumpIntoBatches) {
  const LoopbackListener listener;
  std::vector<std::pair<Descriptor, Descriptor>> connections;
  for (int count = 0; count < 40; ++count) connections.push_back(listener.connect());
  SockDiagSettings settings;
  settings.socketsPerBatch = 16;
  const std::unique_ptr<SockDiagPoller> poller = openPoller(settings);
  const Received received = poll(*poller);

  EXPECT_GE(received.changed.size(), 80U);
  EXPECT_EQ(received.largestBatch, 16U);
}

TEST(SockDiagPoller, HandsSocketsOnAgainWhoseBatchWasRefused) {
  const LoopbackListener listener;
  const auto [client, server] = listener.connect();
  const std::unique_ptr<SockDiagPoller> poller = openPoller();
  poller->pollOnce([](ObservationBatch&&) { return false; });
  const Received second = poll(*poller);

  EXPECT_TRUE(second.changed.contains(test::cookieOf(client)));
  EXPECT_GE(second.gaps.at(GapKind::queueFull), 1U) << "one for each batch: other programs have sockets too";
}

// A session would show the others as open for ever.
TEST(SockDiagPoller, ReportsEveryClosedSocketHoweverManyClosedWhileBatchesWereRefused) {
  const auto refuse = [](ObservationBatch&&) { return false; };
  const LoopbackListener listener;
  std::vector<std::pair<Descriptor, Descriptor>> connections;
  for (int count = 0; count < 4; ++count) connections.push_back(listener.connect());
  std::vector<std::uint64_t> cookies;
  for (const auto& [client, server] : connections) {
    cookies.push_back(test::cookieOf(client));
    cookies.push_back(test::cookieOf(server));
  }
  SockDiagSettings settings;
  settings.mostClosedKept = 2;
  const std::unique_ptr<SockDiagPoller> poller = openPoller(settings);
  poll(*poller);
  for (auto& [client, server] : connections) test::reset(client);
  poller->takeDestroyed(refuse);
  poller->pollOnce(refuse);

  Received received;
  const auto areAllReported = [&] {
    return std::ranges::all_of(cookies, [&](std::uint64_t cookie) { return received.closed.contains(cookie); });
  };
  // Other programs close sockets, too, and each poll reports two.
  constexpr int kMostPolls = 1'000;
  for (int polls = 0; polls < kMostPolls && !areAllReported(); ++polls) poller->pollOnce(received.sink());
  EXPECT_TRUE(areAllReported());
}

TEST(SockDiagPoller, CountsSocketsBeyondItsBudget) {
  const LoopbackListener listener;
  const auto [client, server] = listener.connect();
  SockDiagSettings settings;
  settings.maxSockets = 1;
  const std::unique_ptr<SockDiagPoller> poller = openPoller(settings);
  const Received received = poll(*poller);

  EXPECT_EQ(received.changed.size(), 1U);
  EXPECT_GE(received.gaps.at(GapKind::socketBudget), 2U);
}

}  // namespace
}  // namespace tcpscope
