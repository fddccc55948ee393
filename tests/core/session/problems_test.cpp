// What of many connections needs attention, and what belongs together.
#include "core/session/problems.h"

#include "core/host/sysctl_values.h"
#include "core/present/text/problem_text.h"
#include "tests/core/session/session_polls.h"

namespace tcpscope {
namespace {

using test::connection;

class ProblemsTest : public test::SessionPolls {
protected:
  static SocketObservation attempt(std::uint64_t cookie, std::string_view peer, std::uint16_t port) {
    return connection(cookie, std::chrono::seconds(0))
        .state(TcpState::synSent)
        .remote(peer, port)
        .unanswered(3, std::chrono::seconds(1), 0, std::chrono::milliseconds(500))
        .build();
  }
  std::vector<Problem> problems(std::vector<SocketObservation> sockets) {
    return problemsOf(*poll(std::chrono::seconds(0), std::move(sockets)));
  }
};

TEST_F(ProblemsTest, AttemptsToOneEndpointAreOneProblem) {
  const auto found = problems({attempt(1, "198.51.100.9", 80), attempt(2, "198.51.100.9", 80),
                               attempt(3, "198.51.100.9", 443), connection(4, std::chrono::seconds(0)).build()});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].kind, ProblemKind::unansweredOpening);
  EXPECT_EQ(found[0].count, 2U) << "the larger one comes first";
  EXPECT_EQ(subject(found[0]), "198.51.100.9:80");
  EXPECT_EQ(found[0].connections, (std::vector<ConnectionId>{{PlaceId{0}, 1}, {PlaceId{0}, 2}}));
  EXPECT_EQ(found[1].count, 1U);
}

TEST_F(ProblemsTest, WhatOneProgramDoesNotCloseIsOneProblem) {
  const auto leak = [](std::uint64_t cookie, std::string_view peer) {
    return connection(cookie, std::chrono::seconds(0))
        .state(TcpState::closeWait)
        .remote(peer, 4000)
        .lastAck(std::chrono::seconds(600))
        .build();
  };
  const auto found = problems({leak(1, "198.51.100.1"), leak(2, "198.51.100.2")});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, ProblemKind::closeWait);
  EXPECT_EQ(found[0].count, 2U);
  EXPECT_EQ(found[0].oldest, Nanoseconds(std::chrono::seconds(600)));
}

TEST_F(ProblemsTest, SilenceThatFirewallsForgetIsOneOfConnectionsWithoutKeepAlives) {
  using namespace std::chrono_literals;
  const auto quiet = [](std::uint64_t cookie, std::string_view peer, Nanoseconds silence) {
    return connection(cookie, 0s).remote(peer, 5432).lastAck(std::chrono::duration_cast<Milliseconds>(silence));
  };
  const std::vector<SocketObservation> sockets = {
      quiet(1, "198.51.100.1", 2h).build(), quiet(2, "198.51.100.1", 3h).build(),
      quiet(3, "198.51.100.1", 3h).timer(TimerKind::keepAlive, 0, 60s).build(), quiet(4, "127.0.0.1", 3h).build(),
      quiet(5, "198.51.100.1", 10min).build()};
  poll(0s, sockets);
  const auto found = problemsOf(*poll(5s, {}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, ProblemKind::noKeepAlive);
  EXPECT_EQ(found[0].severity, FindingSeverity::warning);
  EXPECT_EQ(found[0].connections, (std::vector<ConnectionId>{{PlaceId{0}, 1}, {PlaceId{0}, 2}}));
  EXPECT_EQ(found[0].oldest, Nanoseconds(3h + 5s));
}

TEST_F(ProblemsTest, ManyClosesOfOnePeerThatAreNotAcknowledgedAreOne) {
  std::vector<SocketObservation> sockets;
  const auto close = [&](std::string_view peer) {
    sockets.push_back(connection(sockets.size() + 1, std::chrono::seconds(0))
                          .state(TcpState::lastAck)
                          .remote(peer, 4000)
                          .unanswered(5, std::chrono::milliseconds(6'400), 5, std::chrono::seconds(1))
                          .lastAck(std::chrono::seconds(9))
                          .build());
  };
  for (int count = 0; count < 120; ++count) close("198.51.100.1");
  for (int count = 0; count < 50; ++count) close("198.51.100.2");
  const auto found = problems(sockets);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, ProblemKind::unfinishedClose);
  EXPECT_EQ(found[0].count, 120U);
  EXPECT_EQ(subject(found[0]), "198.51.100.1");
}

TEST_F(ProblemsTest, AgesGrowWithTheSnapshot) {
  const auto young =
      connection(1, std::chrono::seconds(0)).state(TcpState::closeWait).lastAck(std::chrono::seconds(30)).build();
  EXPECT_TRUE(problems({young}).empty());
  EXPECT_EQ(problemsOf(*poll(std::chrono::seconds(31), {})).size(), 1U);
}

TEST_F(ProblemsTest, HealthyConnectionsAreNone) {
  EXPECT_TRUE(
      problems(
          {connection(1, std::chrono::seconds(0)).build(),
           connection(2, std::chrono::seconds(0)).state(TcpState::finWait2).build(),
           connection(3, std::chrono::seconds(0)).timer(TimerKind::keepAlive, 0, std::chrono::seconds(60)).build()})
          .empty());
}

TEST_F(ProblemsTest, PeersThatVanishAreNone) {
  const auto vanished = [](std::uint64_t cookie, TcpState state) {
    return connection(cookie, std::chrono::seconds(0))
        .state(state)
        .inFlight(1)
        .acked(100'000)
        .unanswered(5, std::chrono::milliseconds(6'400), 5, std::chrono::seconds(1))
        .lastAck(std::chrono::seconds(9))
        .build();
  };
  EXPECT_TRUE(
      problems({vanished(1, TcpState::lastAck), vanished(2, TcpState::finWait1), vanished(3, TcpState::synReceived)})
          .empty());
  EXPECT_EQ(problems({vanished(4, TcpState::established)}).size(), 1U);
}

TEST_F(ProblemsTest, OneStalledConnectionIsNamedWithItsPort) {
  const auto stalled = [](std::uint64_t cookie, std::uint16_t port) {
    return connection(cookie, std::chrono::seconds(0))
        .remote("198.51.100.9", port)
        .inFlight(1)
        .acked(100'000)
        .unanswered(5, std::chrono::milliseconds(6'400), 5, std::chrono::seconds(1))
        .lastAck(std::chrono::seconds(9))
        .build();
  };
  const auto subjectOf = [](const std::vector<Problem>& found) {
    return found.size() == 1 ? subject(found.front()) : std::to_string(found.size()) + " problems";
  };
  EXPECT_EQ(subjectOf(problems({stalled(1, 5001)})), "198.51.100.9:5001");
  EXPECT_EQ(subjectOf(problems({stalled(2, 5001)})), "198.51.100.9:5001");
  EXPECT_EQ(subjectOf(problems({stalled(3, 443)})), "198.51.100.9") << "the peer answers nothing";
}

TEST_F(ProblemsTest, PortsRunOutTowardsOneEndpoint) {
  SysctlValues settings;
  settings.set("net.ipv4.ip_local_port_range", "40000 40009");
  Place here;
  here.settings = std::make_shared<const SysctlValues>(settings);
  m_session.setPlaces({here}, {});
  std::vector<SocketObservation> sockets;
  for (std::uint64_t cookie = 1; cookie <= 8; ++cookie) {
    sockets.push_back(connection(cookie, std::chrono::seconds(0))
                          .state(TcpState::timeWait)
                          .local("192.0.2.1", static_cast<std::uint16_t>(40000 + cookie))
                          .build());
  }
  const SocketObservation last = sockets.back();
  sockets.pop_back();
  EXPECT_TRUE(problems(sockets).empty());
  sockets = {last};
  const auto found = problems(sockets);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, ProblemKind::portsUsedUp);
  EXPECT_EQ(found[0].capacity, 10U);
}

TEST_F(ProblemsTest, AFullAcceptQueueIsAProblem) {
  const auto found =
      problems({connection(1, std::chrono::seconds(0)).state(TcpState::listen).queues(129, 128).build()});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, ProblemKind::acceptQueueOverflow);
  EXPECT_EQ(phrase(found[0]),
            "accept queue full: 129 wait, 128 fit; other clients connect a second or more later, or not at all");
}

TEST_F(ProblemsTest, TheFilterHoldsForListenersToo) {
  const auto snapshot =
      poll(std::chrono::seconds(0),
           {connection(1, std::chrono::seconds(0)).state(TcpState::listen).local("::", 80).queues(129, 128).build()});
  EXPECT_EQ(problemsOf(*snapshot, *ConnectionFilter::parse("sport = :80")).size(), 1U);
  EXPECT_TRUE(problemsOf(*snapshot, *ConnectionFilter::parse("sport = :443")).empty());
}

}  // namespace
}  // namespace tcpscope
