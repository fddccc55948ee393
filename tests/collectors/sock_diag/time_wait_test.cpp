// A connection whose end stays in TIME-WAIT, from the real kernel to the row in the list: one row, whichever cookie the
// kernel gives to the TIME-WAIT socket.
#include <gtest/gtest.h>
#include <poll.h>

#include "collectors/sock_diag/netlink_socket.h"
#include "collectors/sock_diag/sock_diag_poller.h"
#include "collectors/system/monotonic_clock.h"
#include "core/session/analysis_session.h"
#include "tests/support/loopback_connection.h"

namespace tcpscope {
namespace {

using test::Descriptor;
using test::LoopbackListener;
using namespace std::chrono_literals;

class TimeWaitTest : public ::testing::Test {
protected:
  TimeWaitTest() {
    auto poller = SockDiagPoller::open(ownSockDiagAccess(), SockDiagSettings{});
    if (!poller) throw std::runtime_error("no socket diagnosis here");
    m_poller = std::move(*poller);
  }

  /// The client's end and the server's.
  std::pair<Descriptor, Descriptor> connect() {
    auto connection = m_listener.connect();
    sockaddr_in address{};
    socklen_t size = sizeof address;
    getsockname(connection.first.number(), reinterpret_cast<sockaddr*>(&address), &size);
    m_clientPort = ntohs(address.sin_port);
    return connection;
  }

  void dump() { m_poller->pollOnce(m_sink); }
  /// The kernel announces a destroyed socket from a worker thread, some time after close().
  void awaitLastWord() {
    const auto deadline = std::chrono::steady_clock::now() + 30s;
    while (!m_lastWordCame && std::chrono::steady_clock::now() < deadline) {
      pollfd waiting{m_poller->destroyDescriptor(), POLLIN, 0};
      poll(&waiting, 1, 100);
      m_poller->takeDestroyed(m_sink);
    }
    ASSERT_TRUE(m_lastWordCame);
  }

  /// Rows of the client's end, which closes first and so is the one that waits.
  std::vector<ConnectionRow> clientRows() {
    const auto snapshot = m_session.tick(monotonicNow());
    std::vector<ConnectionRow> rows;
    for (const std::uint32_t slot : *snapshot->order) {
      const ConnectionRow row = snapshot->row(slot);
      if (isClients(row.local, row.remote)) rows.push_back(row);
    }
    return rows;
  }

  /// The states that the kernel shows of the client's end now, by cookie.
  std::map<std::uint64_t, TcpState> clientInKernel() {
    auto poller = SockDiagPoller::open(ownSockDiagAccess(), SockDiagSettings{});
    std::map<std::uint64_t, TcpState> states;
    (*poller)->pollOnce([&](ObservationBatch&& batch) {
      for (const SocketObservation& socket : batch.changed) {
        if (isClients(socket.local, socket.remote)) states[socket.id.cookie] = socket.state;
      }
      return true;
    });
    return states;
  }

  /// Sends some bytes over a connection and closes it, the client first.
  static void useAndEnd(std::pair<Descriptor, Descriptor>& connection) {
    char byte = 0;
    ASSERT_EQ(send(connection.first.number(), "hello", 5, 0), 5);
    shutdown(connection.first.number(), SHUT_WR);
    while (recv(connection.second.number(), &byte, 1, 0) > 0) {
    }
    connection.second.close();
    EXPECT_EQ(recv(connection.first.number(), &byte, 1, 0), 0);
    connection.first.close();
  }

  [[nodiscard]] bool isClients(const Endpoint& local, const Endpoint& remote) const {
    return local.port == m_clientPort && remote.port == m_listener.port();
  }

  LoopbackListener m_listener;
  std::uint16_t m_clientPort = 0;
  AnalysisSession m_session;
  std::unique_ptr<SockDiagPoller> m_poller;
  bool m_lastWordCame = false;
  ObservationSink m_sink = [this](ObservationBatch&& batch) {
    for (const ClosedSocket& closed : batch.closed) {
      if (closed.last && isClients(closed.last->local, closed.last->remote)) m_lastWordCame = true;
    }
    return m_session.accept(batch), true;
  };
};

TEST_F(TimeWaitTest, TheKernelKeepsTheCookieOfASocketThatWasPolled) {
  auto connection = connect();
  const std::uint64_t cookie = test::cookieOf(connection.first);
  useAndEnd(connection);
  EXPECT_EQ(clientInKernel(), (std::map<std::uint64_t, TcpState>{{cookie, TcpState::timeWait}}));
}

TEST_F(TimeWaitTest, AKnownConnectionStaysOneRow) {
  auto connection = connect();
  dump();
  ASSERT_EQ(clientRows().size(), 1U);
  useAndEnd(connection);
  ASSERT_EQ(clientInKernel().size(), 1U) << "it waits";
  awaitLastWord();
  dump();
  dump();
  const std::vector<ConnectionRow> rows = clientRows();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_TRUE(rows[0].closed);
  EXPECT_EQ(m_session.detail(rows[0].id)->socket.info.bytesAcked(), Bytes(7)) << "five bytes, SYN and FIN";
}

TEST_F(TimeWaitTest, ATimeWaitSocketSeenBeforeTheDestroyEventDoesNotReplaceIt) {
  auto connection = connect();
  dump();
  useAndEnd(connection);
  dump();
  ASSERT_EQ(clientRows().size(), 1U);
  EXPECT_EQ(clientRows()[0].state, TcpState::timeWait);
  EXPECT_FALSE(clientRows()[0].closed);
  awaitLastWord();
  const std::vector<ConnectionRow> rows = clientRows();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_TRUE(rows[0].closed);
  EXPECT_EQ(m_session.detail(rows[0].id)->window.ackedBytes, 6U) << "five bytes and FIN, since the first poll";
}

TEST_F(TimeWaitTest, AConnectionBetweenTwoPollsIsOneRowAlthoughItsTimeWaitSocketHasAnotherCookie) {
  dump();
  auto connection = connect();
  useAndEnd(connection);
  awaitLastWord();
  dump();
  const std::vector<ConnectionRow> rows = clientRows();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_TRUE(rows[0].closed);
  EXPECT_EQ(m_session.detail(rows[0].id)->socket.info.bytesAcked(), Bytes(7));
}

TEST_F(TimeWaitTest, AConnectionFirstSeenInTimeWaitIsOneRow) {
  dump();
  auto connection = connect();
  useAndEnd(connection);
  dump();
  ASSERT_EQ(clientRows().size(), 1U);
  EXPECT_EQ(clientRows()[0].state, TcpState::timeWait);
  awaitLastWord();
  const std::vector<ConnectionRow> rows = clientRows();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_TRUE(rows[0].closed);
  EXPECT_EQ(m_session.detail(rows[0].id)->socket.info.bytesAcked(), Bytes(7));
}

}  // namespace
}  // namespace tcpscope
