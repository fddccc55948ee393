// The same real sockets through ss and through the kernel's own messages: figure by figure the same, or not known.
#include <gtest/gtest.h>
#include <sys/utsname.h>

#include <array>
#include <cstdio>
#include <sstream>

#include "collectors/sock_diag/netlink_socket.h"
#include "collectors/sock_diag/sock_diag_poller.h"
#include "collectors/ss/ss_socket.h"
#include "core/model/metric_catalogue.h"
#include "tests/support/loopback_connection.h"

namespace tcpscope {
namespace {

std::string outputOf(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return text;
  std::array<char, 4096> piece;
  while (const std::size_t size = fread(piece.data(), 1, piece.size(), pipe)) text.append(piece.data(), size);
  pclose(pipe);
  return text;
}

std::optional<SocketObservation> throughSs(std::uint64_t cookie, const std::string& options) {
  utsname kernel{};
  uname(&kernel);
  const SsDialect dialect = SsDialect::of(kernel.release, outputOf("ss -V"));
  std::istringstream lines(outputOf("ss " + options));
  std::string text;
  std::optional<SocketObservation> found;
  const auto finish = [&] {
    const auto socket = parseSsSocket(text, dialect);
    if (socket && socket->observation.id.cookie == cookie) found = socket->observation;
    text.clear();
  };
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with('\t') && !line.starts_with(' ')) finish();
    text += line + " ";
  }
  finish();
  return found;
}

std::optional<SocketObservation> throughMessages(std::uint64_t cookie) {
  std::optional<SocketObservation> found;
  const auto poller = SockDiagPoller::open(ownSockDiagAccess(), {});
  if (!poller) return found;
  (*poller)->pollOnce([&](ObservationBatch&& batch) {
    for (const SocketObservation& socket : batch.changed) {
      if (socket.id.cookie == cookie) found = socket;
    }
    return true;
  });
  return found;
}

/// ss prints them cut to milliseconds.
bool isChronograph(Metric metric) {
  return metric == Metric::busyTime || metric == Metric::rwndLimited || metric == Metric::sndbufLimited;
}

class SsAgreement : public testing::TestWithParam<int> {
protected:
  void SetUp() override {
    if (outputOf("ss -V").empty()) GTEST_SKIP() << "there is no ss here";
  }
  /// A socket on which nothing happens any more.
  static void exchange(const test::Descriptor& one, const test::Descriptor& other) {
    std::array<char, 5000> bytes{};
    ASSERT_EQ(write(one.number(), bytes.data(), bytes.size()), 5000);
    ASSERT_EQ(recv(other.number(), bytes.data(), 4000, MSG_WAITALL), 4000);
    ASSERT_EQ(write(other.number(), bytes.data(), 100), 100);
    ASSERT_EQ(recv(one.number(), bytes.data(), 100, MSG_WAITALL), 100);
  }
  static void expectAgreement(const SocketObservation& text, const SocketObservation& messages) {
    EXPECT_EQ(text.state, messages.state);
    EXPECT_EQ(text.local, messages.local);
    EXPECT_EQ(text.remote, messages.remote);
    EXPECT_EQ(text.userId, messages.userId);
    EXPECT_EQ(text.inode, messages.inode);
    EXPECT_EQ(text.receiveQueue, messages.receiveQueue);
    EXPECT_EQ(text.sendQueue, messages.sendQueue);
    EXPECT_EQ(text.congestionControl, messages.congestionControl);
    EXPECT_EQ(text.memory, messages.memory);
    std::size_t known = 0;
    for (const MetricRow& row : metricCatalogue()) {
      const auto reported = row.read({text, nullptr});
      if (!reported || row.kind == MetricKind::age) continue;
      ++known;
      const auto truth = row.read({messages, nullptr});
      ASSERT_TRUE(truth) << row.key << " is reported by ss only";
      EXPECT_NEAR(*reported, *truth, isChronograph(row.metric) ? 1000.0 : 1e-5 * *truth) << row.key;
    }
    EXPECT_GE(known, 20U) << "this would agree about nothing";
  }
  /// Two samples of either kind between which nothing changed.
  static void expectSameFigures(std::uint64_t cookie, const std::string& options) {
    constexpr int kMostTries = 50;
    for (int i = 0; i < kMostTries; ++i) {
      const auto before = throughMessages(cookie);
      const auto text = throughSs(cookie, options);
      const auto after = throughMessages(cookie);
      ASSERT_TRUE(before && text && after);
      const auto figures = [](const SocketObservation& socket) {
        std::vector<std::optional<double>> all;
        for (const MetricRow& row : metricCatalogue()) {
          if (row.kind != MetricKind::age) all.push_back(row.read({socket, nullptr}));
        }
        return all;
      };
      // A delayed acknowledgment may still be in flight.
      if (figures(*before) == figures(*after)) return expectAgreement(*text, *after);
    }
    FAIL() << "the socket does not come to rest";
  }
};

TEST_P(SsAgreement, BothEndsOfAConnection) {
  const test::LoopbackListener listener(GetParam());
  const auto [client, server] = listener.connect();
  exchange(client, server);
  for (const test::Descriptor* end : {&client, &server}) {
    expectSameFigures(test::cookieOf(*end), "-tinmeaO");
    expectSameFigures(test::cookieOf(*end), "-tinmea");
  }
}

TEST_P(SsAgreement, AListener) {
  const test::LoopbackListener listener(GetParam());
  std::uint64_t cookie = 0;
  socklen_t size = sizeof cookie;
  ASSERT_EQ(getsockopt(listener.number(), SOL_SOCKET, 57, &cookie, &size), 0);  // SO_COOKIE
  const auto text = throughSs(cookie, "-tinmeaO");
  const auto messages = throughMessages(cookie);
  ASSERT_TRUE(text && messages);
  EXPECT_EQ(text->local, messages->local);
  EXPECT_EQ(text->state, TcpState::listen);
  EXPECT_EQ(text->sendQueue, messages->sendQueue);
}

INSTANTIATE_TEST_SUITE_P(Families, SsAgreement, testing::Values(AF_INET, AF_INET6));

}  // namespace
}  // namespace tcpscope
