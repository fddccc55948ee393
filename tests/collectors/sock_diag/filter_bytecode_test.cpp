// Queries the kernel with the compiled filter, and compares its answer with the evaluator's result for every socket.

#include "collectors/sock_diag/filter_bytecode.h"

#include <gtest/gtest.h>

#include <map>

#include "collectors/sock_diag/netlink_socket.h"
#include "collectors/sock_diag/sock_diag_poller.h"
#include "tests/support/loopback_connection.h"

namespace tcpscope {
namespace {

using test::LoopbackListener;

FilterPointer parse(const std::string& text) {
  const Expected<ConnectionFilter, FilterError> filter = ConnectionFilter::parse(text);
  if (!filter) throw std::runtime_error("cannot parse " + text);
  return filter->root();
}

/// Sockets of both families: listeners, connections, and an IPv4 connection to a listener of both families, whose
/// server end has IPv4-mapped addresses.
class FilterBytecode : public ::testing::Test {
protected:
  FilterBytecode() : m_connections() {
    m_connections.push_back(m_ipv4.connect());
    m_connections.push_back(m_ipv6.connect());
  }

  /// The sockets of this test that the kernel sends.
  std::map<std::uint64_t, SocketObservation> sentByKernel(const FilterPointer& filter) {
    auto poller = std::move(*SockDiagPoller::open(ownSockDiagAccess(), {}));
    poller->setFilter(0xffffffffU, filter);
    std::map<std::uint64_t, SocketObservation> sent;
    poller->pollOnce([this, &sent](ObservationBatch&& batch) {
      for (const CollectionGap& gap : batch.gaps) {
        EXPECT_NE(gap.kind, GapKind::requestRefused) << "the kernel takes the code";
      }
      for (const SocketObservation& socket : batch.changed) {
        const bool isOurs = isOurPort(socket.local.port) || isOurPort(socket.remote.port);
        if (isOurs && socket.state != TcpState::timeWait) sent.emplace(socket.id.cookie, socket);
      }
      return true;
    });
    return sent;
  }

  [[nodiscard]] bool isOurPort(std::uint16_t port) const { return port == m_ipv4.port() || port == m_ipv6.port(); }

  /// `$4` and `$6` stand for the ports of the listeners.
  [[nodiscard]] std::string withPorts(std::string text) const {
    for (const auto& [mark, port] : {std::pair("$4", m_ipv4.port()), std::pair("$6", m_ipv6.port())}) {
      for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark)) {
        text.replace(at, 2, std::to_string(port));
      }
    }
    return text;
  }

  LoopbackListener m_ipv4;
  LoopbackListener m_ipv6{AF_INET6};
  std::vector<std::pair<test::Descriptor, test::Descriptor>> m_connections;
};

TEST_F(FilterBytecode, TheKernelSendsExactlyWhatTheEvaluatorMatches) {
  const std::map<std::uint64_t, SocketObservation> all = sentByKernel({});
  ASSERT_GE(all.size(), 6U);
  for (const char* text : {"sport = :$4",
                           "dport = :$4",
                           "sport != :$4",
                           "dport >= :$4",
                           "dport > :$4",
                           "sport < :$4",
                           "sport <= :$6",
                           "sport = :$4 or sport = :$6",
                           "sport = :$4 and dport = :$6",
                           "not sport = :$4",
                           "not ( sport = :$4 or dport = :$4 )",
                           "( sport = :$4 or dport = :$6 ) and dst 127.0.0.1",
                           "dst 127.0.0.0/8",
                           "dst 127.0.0.1:$4",
                           "not dst 127.0.0.1",
                           "dst [::1]:$6",
                           "src [::1]",
                           "not dst [2001:db8::]/32",
                           "dst 10.0.0.0/8",
                           "not dst 10.0.0.0/8",
                           "not ( dst 127.0.0.1 and not sport = :$4 ) and not ( sport = :$6 )",
                           "sport = :$4 or ( dport = :$4 and ( dst 127.0.0.0/8 or dst [::1] ) ) or dport = :$6"}) {
    const FilterPointer root = parse(withPorts(text));
    ASSERT_FALSE(compileFilter(root).empty()) << text;
    const ConnectionFilter filter = *ConnectionFilter::parse(withPorts(text));
    const std::map<std::uint64_t, SocketObservation> sent = sentByKernel(root);
    for (const auto& entry : all) {
      EXPECT_EQ(sent.count(entry.first) == 1, filter.matches(FilterSubject{entry.second}))
          << text << ": " << entry.second.local.toString() << " " << entry.second.remote.toString();
    }
  }
}

TEST_F(FilterBytecode, WhatTheKernelCannotDecideLetsThroughAndNeverDrops) {
  const std::map<std::uint64_t, SocketObservation> all = sentByKernel({});
  for (const char* text : {"rtt > 50ms and sport = :$4", "not ( rtt > 50ms and sport = :$4 )",
                           "rtt > 50ms or sport = :$4", "not ( rtt > 50ms or sport = :$4 )", "not dst [::]/0",
                           "state listening or sport = :$4", "cc = cubic and dport = :$6"}) {
    const ConnectionFilter filter = *ConnectionFilter::parse(withPorts(text));
    const std::map<std::uint64_t, SocketObservation> sent = sentByKernel(filter.root());
    for (const auto& entry : all) {
      if (filter.matches(FilterSubject{entry.second})) {
        EXPECT_EQ(sent.count(entry.first), 1U) << text;
      }
    }
  }
}

TEST(FilterCompiler, GivesNoCodeWhereTheKernelCanDecideNothing) {
  EXPECT_TRUE(compileFilter(nullptr).empty());
  EXPECT_TRUE(compileFilter(parse("rtt > 50ms")).empty());
  EXPECT_TRUE(compileFilter(parse("rtt > 50ms or sport = :80")).empty());
}

TEST(FilterCompiler, GivesNoCodeThatDoesNotFitIntoARequest) {
  FilterOr large;
  for (int port = 0; port < 1000; ++port) {
    FilterPort condition;
    condition.port = static_cast<std::uint16_t>(port);
    large.parts.push_back(std::make_shared<const FilterNode>(FilterNode{condition}));
  }
  EXPECT_TRUE(compileFilter(std::make_shared<const FilterNode>(FilterNode{large})).empty());
}

}  // namespace
}  // namespace tcpscope
