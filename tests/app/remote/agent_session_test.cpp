// Real agents with real sockets: what comes through their pipes is what a look at the same place shows.
#include "app/remote/agents_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "app/remote/run_agent.h"
#include "collectors/system/monotonic_clock.h"
#include "core/host/sysctl_values.h"
#include "tests/support/agent_process.h"
#include "tests/support/loopback_connection.h"
#include "tests/support/path_relay.h"
#include "tests/support/session_watch.h"
#include "tests/support/trace_examples.h"
#include "tests/support/traffic.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;
using test::AgentProcess;
using test::NetworkHost;
using test::rowOf;

const AgentProcess::Program kAgentHere = [](int requests, int frames) { _exit(runAgent(requests, frames, {})); };

AgentProcess::Program agentCalled(const std::string& name) {
  return [name](int requests, int frames) { _exit(runAgent(requests, frames, {name, true})); };
}

class AgentSession : public ::testing::Test {
protected:
  void open(const std::vector<const AgentProcess*>& agents) {
    std::vector<AgentPipes> pipes;
    for (const AgentProcess* agent : agents) pipes.push_back({"agent", agent->frames(), agent->requests()});
    AgentsSessionSettings settings;
    m_control.listInterval = 50ms;
    settings.control = m_control;
    settings.timeout = 60s;
    auto session = openAgentsSession(pipes, settings);
    ASSERT_TRUE(session.has_value());
    m_session = std::move(*session);
  }
  /// Null after a minute.
  template <class Condition>
  std::shared_ptr<const SessionSnapshot> waitFor(Condition condition) {
    return test::waitForSnapshot(*m_session, condition);
  }
  static std::uint64_t gapsOf(const SessionSnapshot& snapshot, GapKind kind) {
    std::uint64_t count = 0;
    for (const CollectionGap& gap : snapshot.gaps) count += gap.kind == kind ? gap.count : 0;
    return count;
  }

  SessionControl m_control;
  std::unique_ptr<LiveSession> m_session;
};

TEST_F(AgentSession, ShowsAConnectionWithItsOwner) {
  const AgentProcess agent(kAgentHere);
  const test::LoopbackListener listener;
  const auto [client, server] = listener.connect();
  open({&agent});
  const std::uint64_t cookie = test::cookieOf(client);
  const auto snapshot = waitFor([&](const SessionSnapshot& seen) {
    const auto row = rowOf(seen, cookie);
    return row && seen.owner(*row) != nullptr;
  });
  ASSERT_NE(snapshot, nullptr);
  const auto row = rowOf(*snapshot, cookie);
  ASSERT_TRUE(row);
  const Owner* owner = snapshot->owner(*row);
  ASSERT_NE(owner, nullptr);
  EXPECT_EQ(owner->pid, getpid());
  ASSERT_EQ(snapshot->places.size(), 1U);
  EXPECT_FALSE(snapshot->places[0].bootId.empty());
  EXPECT_TRUE(snapshot->settings(snapshot->places[0].id).three("net.ipv4.tcp_rmem")) << "what is set there";
}

TEST_F(AgentSession, ReportsAClosedConnection) {
  const AgentProcess agent(kAgentHere);
  const test::LoopbackListener listener;
  auto [client, server] = listener.connect();
  open({&agent});
  const std::uint64_t cookie = test::cookieOf(client);
  ASSERT_NE(waitFor([&](const SessionSnapshot& seen) { return rowOf(seen, cookie).has_value(); }), nullptr);
  test::reset(client);
  EXPECT_NE(waitFor([&](const SessionSnapshot& seen) {
              const auto row = rowOf(seen, cookie);
              return row && row->closed;
            }),
            nullptr);
}

TEST_F(AgentSession, ReportsASettingThatChangesMeanwhile) {
  auto host = NetworkHost::make({"10.77.0.1", 1500, {{"tcp_sack", "0"}}});
  if (!host) GTEST_SKIP() << "this machine gives no network namespace: " << host.error();
  const AgentProcess agent(agentCalled("host"), **host);
  open({&agent});
  const auto sackIs = [this](std::uint64_t value) {
    return waitFor([value](const SessionSnapshot& seen) {
      return !seen.places.empty() && seen.settings(seen.places[0].id).number("net.ipv4.tcp_sack") == value;
    });
  };
  ASSERT_NE(sackIs(0), nullptr);
  (*host)->start([] { std::ofstream("/proc/sys/net/ipv4/tcp_sack") << 1; });
  EXPECT_NE(sackIs(1), nullptr);
}

TEST_F(AgentSession, SamplesTheConnectionInFocusAtTheRateThatIsAsked) {
  const AgentProcess agent(kAgentHere);
  const test::LoopbackListener listener;
  const auto [client, server] = listener.connect();
  open({&agent});
  const std::uint64_t cookie = test::cookieOf(client);
  ASSERT_NE(waitFor([&](const SessionSnapshot& seen) { return rowOf(seen, cookie).has_value(); }), nullptr);
  const ConnectionId id{PlaceId{0}, cookie};
  m_control.listInterval = 1000ms;
  m_control.focus = id;
  m_control.focusInterval = 1ms;
  m_session->setControl(m_control);
  const int sending = client.number();
  // An exact answer changes from sample to sample only while data moves.
  const auto sampled = [&](std::size_t wanted) {
    return waitFor([&](const SessionSnapshot& seen) {
      EXPECT_EQ(::send(sending, "x", 1, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0 || errno == EAGAIN, true);
      const auto detail = seen.details.find(id);
      return detail != seen.details.end() && detail->second->history.sampleCount() >= wanted;
    });
  };
  const auto few = sampled(100);
  ASSERT_NE(few, nullptr);
  const auto many = sampled(1100);
  ASSERT_NE(many, nullptr);
  // The list alone would take a thousand seconds for these.
  const Nanoseconds span = many->time - few->time;
  EXPECT_LT(span, 30s);
}

TEST_F(AgentSession, BothEndsOfAPathAreTwoPlaces) {
  auto first = NetworkHost::make({"10.77.0.1", 1500, {}});
  if (!first) GTEST_SKIP() << "this machine gives no network namespace: " << first.error();
  auto second = NetworkHost::make({"10.77.0.2", 1500, {}});
  if (!second) GTEST_SKIP() << "this machine gives no network namespace: " << second.error();
  const std::array<const NetworkHost*, 2> hosts = {first->get(), second->get()};
  const test::PathRelay relay(hosts, test::betweenTwoHosts({}));
  const AgentProcess sending(agentCalled("sending host"), **first);
  const AgentProcess receiving(agentCalled("receiving host"), **second);
  (*second)->start([] { run(test::ReceiverProgram(), 60s); });
  (*first)->start([] { run(test::SenderProgram(), 60s); });
  open({&sending, &receiving});
  const auto carries = [](const SessionSnapshot& seen, std::uint32_t place, bool sends) {
    for (const std::uint32_t slot : *seen.order) {
      const ConnectionRow& row = seen.row(slot);
      if (row.id.place.number == place && (sends ? row.sendRateBps : row.receiveRateBps) > 1e6F) return true;
    }
    return false;
  };
  const auto snapshot =
      waitFor([&](const SessionSnapshot& seen) { return carries(seen, 0, true) && carries(seen, 1, false); });
  ASSERT_NE(snapshot, nullptr);
  ASSERT_EQ(snapshot->places.size(), 2U);
  EXPECT_EQ(snapshot->places[0].host, UntrustedText("sending host"));
  EXPECT_EQ(snapshot->places[1].host, UntrustedText("receiving host"));
  EXPECT_NE(snapshot->places[0].networkNamespace, snapshot->places[1].networkNamespace);
}

TEST_F(AgentSession, AnAgentEndsWithItsSession) {
  AgentProcess agent(kAgentHere);
  open({&agent});
  m_session.reset();
  agent.closeRequests();
  EXPECT_EQ(agent.wait(), 0);
}

TEST_F(AgentSession, AnAgentEndsWhenItsFramesHaveNoReader) {
  std::array<int, 2> requests{};
  ASSERT_EQ(pipe2(requests.data(), O_CLOEXEC), 0);
  std::array<int, 2> frames{};
  ASSERT_EQ(pipe2(frames.data(), O_CLOEXEC), 0);
  const pid_t child = fork();
  if (child == 0) {
    ::close(frames[0]);
    _exit(runAgent(requests[0], frames[1], {}));
  }
  ::close(frames[1]);
  ::close(frames[0]);
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  ::close(requests[0]);
  ::close(requests[1]);
}

TEST_F(AgentSession, SaysWhenAnAgentEnded) {
  AgentProcess agent(kAgentHere);
  open({&agent});
  ASSERT_NE(waitFor([](const SessionSnapshot& seen) { return seen.number > 1; }), nullptr);
  agent.end();
  const auto snapshot = waitFor([](const SessionSnapshot& seen) { return gapsOf(seen, GapKind::agentEnded) == 1; });
  EXPECT_NE(snapshot, nullptr);
}

/// Writes these bytes and waits for the end of the requests.
AgentProcess::Program saying(std::vector<std::byte> bytes) {
  return [bytes = std::move(bytes)](int requests, int frames) {
    if (::write(frames, bytes.data(), bytes.size()) < 0) _exit(1);
    std::array<char, 512> ignored{};
    while (::read(requests, ignored.data(), ignored.size()) > 0) {
    }
    _exit(0);
  };
}

std::vector<std::byte> bytesOf(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  return {bytes.begin(), bytes.end()};
}

TEST_F(AgentSession, DamageInTheStreamIsSaidAndTheRestIsShown) {
  std::vector<std::byte> stream;
  TraceWriter writer(stream);
  writer.write(test::exampleHello());
  const auto noise = bytesOf("\xf5TSC this is no frame at all");
  stream.insert(stream.end(), noise.begin(), noise.end());
  ObservationBatch batch;
  batch.changed = {test::fullSocket(77)};
  writer.write(batch);
  const AgentProcess agent(saying(stream));
  open({&agent});
  const auto snapshot = waitFor([](const SessionSnapshot& seen) { return rowOf(seen, 77).has_value(); });
  ASSERT_NE(snapshot, nullptr);
  EXPECT_EQ(gapsOf(*snapshot, GapKind::damagedFrame), 1U);
}

SystemError errorOf(const AgentProcess& agent, Nanoseconds timeout) {
  const auto collector =
      AgentCollector::open({"web server", agent.frames(), agent.requests()}, PlaceId{0}, monotonicNow() + timeout);
  return collector ? SystemError{SystemAttempt::writeOutput, -1, {}} : collector.error();
}

TEST(AgentThatIsNone, AProgramWithOtherOutputIsRejected) {
  const AgentProcess shell([](int, int frames) {
    const auto text = bytesOf("bash: line 1: tcpscope-cli: command not found\n");
    if (::write(frames, text.data(), text.size()) < 0) _exit(1);
  });
  const SystemError error = errorOf(shell, 60s);
  EXPECT_EQ(error.attempt, SystemAttempt::reachAgent);
  EXPECT_EQ(error.errorNumber, 0);
}

TEST(AgentThatIsNone, OneThatEndsAtOnceIsSaid) {
  const AgentProcess agent([](int, int) {});
  EXPECT_EQ(errorOf(agent, 60s).errorNumber, EPIPE);
}

TEST(AgentThatIsNone, OneThatStaysSilentIsNotWaitedForForEver) {
  const AgentProcess agent(saying({}));
  EXPECT_EQ(errorOf(agent, 10ms).errorNumber, ETIMEDOUT);
}

TraceHello helloAt(Nanoseconds monotonic, Nanoseconds wall) {
  TraceHello hello = test::exampleHello();
  hello.clock = {Moment::fromNanoseconds(monotonic.count()), WallTime::fromNanoseconds(wall.count())};
  return hello;
}

ClockPair clocks(Nanoseconds monotonic, Nanoseconds wall) {
  return {Moment::fromNanoseconds(monotonic.count()), WallTime::fromNanoseconds(wall.count())};
}

TEST(AgentClock, OfTheSameBootIsOurs) {
  const TraceHello hello = helloAt(100s, 5000s);
  EXPECT_EQ(clockOffset(hello, hello.place.bootId, clocks(160s, 9000s)), 0s);
}

TEST(AgentClock, OfAnotherHostComesThroughTheWallClock) {
  // Its hello was written 2 s ago by both wall clocks: at 98 s of ours, when it was 7 s of its own.
  EXPECT_EQ(clockOffset(helloAt(7s, 5000s), "another boot", clocks(100s, 5002s)), 91s);
}

TEST(AgentClock, WallClocksThatContradictTheMomentOfHearingAreNotBelieved) {
  EXPECT_EQ(clockOffset(helloAt(7s, 5000s), "another boot", clocks(100s, 4000s)), 93s);
  EXPECT_EQ(clockOffset(helloAt(7s, 5000s), "another boot", clocks(100s, 9000s)), 93s);
}

}  // namespace
}  // namespace tcpscope
