// A host that is lost and comes back, behind a real ssh and a real sshd; and what ssh is asked to do meanwhile.
#include "app/remote/reconnecting_agent.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <thread>

#include "app/remote/agents_session.h"
#include "collectors/host/place_reader.h"
#include "collectors/system/monotonic_clock.h"
#include "tests/support/loopback_connection.h"
#include "tests/support/pretended_ssh.h"
#include "tests/support/session_watch.h"
#include "tests/support/ssh_server.h"
#include "tests/support/trace_examples.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

/// A session that one host joins.
class JoinedSession {
public:
  void join(const std::string& address, SshManner manner = SshManner::inTerminal) {
    auto agent = StartedAgent::startBySsh(address, manner);
    ASSERT_TRUE(agent.has_value());
    auto link = AgentLink::open();
    ASSERT_TRUE(link.has_value());
    m_link = *link;
    auto collector = ReconnectingAgent::open(address, std::move(*agent), PlaceId{1}, monotonicNow() + 60s, m_link);
    ASSERT_TRUE(collector.has_value()) << collector.error().errorNumber;
    AgentsSessionSettings settings;
    settings.control.listInterval = 50ms;
    auto session = openAgentsSession({}, settings);
    ASSERT_TRUE(session.has_value());
    m_session = std::move(*session);
    const Place place = (*collector)->place();
    ASSERT_TRUE(m_session->join(place, std::move(*collector)).has_value());
  }
  [[nodiscard]] LinkState state() const { return m_link->state(); }
  void connectNow() { m_link->connectNow(); }

  /// False after a minute.
  template <class Condition>
  [[nodiscard]] bool reaches(Condition condition) const {
    const auto deadline = std::chrono::steady_clock::now() + 60s;
    while (std::chrono::steady_clock::now() < deadline) {
      if (condition(m_link->state())) return true;
      std::this_thread::sleep_for(1ms);
    }
    return false;
  }
  [[nodiscard]] bool reachesPhase(LinkPhase phase) const {
    return reaches([phase](const LinkState& state) { return state.phase == phase; });
  }
  /// Null after a minute.
  template <class Condition>
  std::shared_ptr<const SessionSnapshot> waitFor(Condition condition) {
    return test::waitForSnapshot(*m_session, condition);
  }
  std::shared_ptr<const SessionSnapshot> seesAlive(std::uint64_t cookie) {
    return waitFor([cookie](const SessionSnapshot& seen) {
      const auto row = test::rowOf(seen, cookie);
      return row && !row->unheard && !row->closed;
    });
  }

private:
  std::shared_ptr<AgentLink> m_link;
  std::unique_ptr<LiveSession> m_session;
};

class ReconnectingBySsh : public testing::Test {
protected:
  void SetUp() override {
    if (!m_server.whyNot().empty()) GTEST_SKIP() << m_server.whyNot();
  }

  test::SshServer m_server;
  test::LoopbackListener m_listener;
  std::pair<test::Descriptor, test::Descriptor> m_ends = m_listener.connect();
  std::uint64_t m_cookie = test::cookieOf(m_ends.first);
  JoinedSession m_session;
};

TEST_F(ReconnectingBySsh, IsBackWithItsConnectionsAfterTheConnectionWasLost) {
  m_session.join(m_server.address());
  ASSERT_TRUE(m_session.seesAlive(m_cookie));
  m_server.dropConnections();
  // It was lost and has returned: the gap shows the former, the row the latter.
  const auto back = m_session.waitFor([&](const SessionSnapshot& seen) {
    const auto row = test::rowOf(seen, m_cookie);
    return row && !row->unheard && !seen.gaps.empty() && !seen.places.empty() && !seen.places[0].lostSince;
  });
  ASSERT_TRUE(back);
  EXPECT_EQ(back->gaps[0].kind, GapKind::agentEnded);
  EXPECT_EQ(m_session.state().phase, LinkPhase::connected);
  EXPECT_FALSE(m_session.state().why);
}

TEST_F(ReconnectingBySsh, StopsAfterARefusedLoginUntilTheUserRetries) {
  m_session.join(m_server.address());
  ASSERT_TRUE(m_session.seesAlive(m_cookie));
  m_server.forgetKeys();
  m_server.dropConnections();
  ASSERT_TRUE(m_session.reachesPhase(LinkPhase::stopped));
  const LinkState stopped = m_session.state();
  ASSERT_TRUE(stopped.why);
  EXPECT_EQ(stopped.why->errorNumber, EACCES);
  EXPECT_FALSE(stopped.retryAt);
  EXPECT_TRUE(m_session.waitFor([&](const SessionSnapshot& seen) {
    const auto row = test::rowOf(seen, m_cookie);
    return row && row->unheard && seen.places[0].lostSince;
  })) << "nothing pretends to be alive";
  m_server.knowKeysAgain();
  m_session.connectNow();
  ASSERT_TRUE(m_session.reachesPhase(LinkPhase::connected));
  EXPECT_TRUE(m_session.seesAlive(m_cookie));
}

TEST_F(ReconnectingBySsh, TriesNoMoreWhereTheHostIsAnother) {
  m_session.join(m_server.address());
  m_server.changeHostKey();
  ASSERT_EQ(m_server.whyNot(), "");
  ASSERT_TRUE(m_session.reachesPhase(LinkPhase::stopped));
  EXPECT_EQ(m_session.state().why->errorNumber, EKEYREJECTED);
}

class ReconnectingAgentTest : public testing::Test {
protected:
  void SetUp() override {
    m_session.join("db1");
    ASSERT_TRUE(m_session.seesAlive(m_cookie));
  }

  test::PretendedSsh m_ssh;
  test::LoopbackListener m_listener;
  std::pair<test::Descriptor, test::Descriptor> m_ends = m_listener.connect();
  std::uint64_t m_cookie = test::cookieOf(m_ends.first);
  JoinedSession m_session;
};

TEST_F(ReconnectingAgentTest, AnAutomaticAttemptNeverPrompts) {
  m_ssh.endNewest();
  ASSERT_TRUE(m_session.waitFor([](const SessionSnapshot& seen) { return !seen.gaps.empty(); }));
  ASSERT_TRUE(m_session.reaches(
      [this](const LinkState& state) { return state.phase == LinkPhase::connected && m_ssh.starts().size() == 2; }));
  const std::vector<std::string> starts = m_ssh.starts();
  EXPECT_THAT(starts[0], Not(HasSubstr("BatchMode")));
  EXPECT_THAT(starts[0], Not(HasSubstr("detached")));
  EXPECT_THAT(starts[1], HasSubstr("-oBatchMode=yes"));
  EXPECT_THAT(starts[1], HasSubstr("detached askpass=never")) << "so asks no ssh to a jump host, either";
  for (const std::string& words : starts) EXPECT_THAT(words, HasSubstr("-- db1 tcpscope-cli agent"));
}

TEST_F(ReconnectingAgentTest, AnAttemptOnRequestMayPrompt) {
  m_ssh.fails("me@db1: Permission denied (password).", 255);
  m_ssh.endNewest();
  ASSERT_TRUE(m_session.reachesPhase(LinkPhase::stopped));
  const std::size_t before = m_ssh.starts().size();
  m_ssh.connects();
  m_session.connectNow();
  ASSERT_TRUE(m_session.reachesPhase(LinkPhase::connected));
  ASSERT_EQ(m_ssh.starts().size(), before + 1);
  EXPECT_THAT(m_ssh.starts().back(), Not(HasSubstr("BatchMode")));
}

TEST_F(ReconnectingAgentTest, AHostThatIsNotThereIsTriedAgainLater) {
  m_ssh.fails("ssh: connect to host db1 port 22: Connection refused", 255);
  m_ssh.endNewest();
  ASSERT_TRUE(m_session.reaches([](const LinkState& state) {
    return state.phase == LinkPhase::waiting && state.why && state.why->errorNumber == ECONNREFUSED && state.retryAt;
  }));
  m_ssh.connects();
  ASSERT_TRUE(m_session.reachesPhase(LinkPhase::connected));
  EXPECT_TRUE(m_session.seesAlive(m_cookie));
}

TEST_F(ReconnectingAgentTest, ARequestEndsAnAttemptThatMayNotPrompt) {
  m_ssh.staysSilent();
  m_ssh.endNewest();
  ASSERT_TRUE(m_session.reaches(
      [this](const LinkState& state) { return state.phase == LinkPhase::connecting && m_ssh.starts().size() == 2; }));
  m_ssh.connects();
  m_session.connectNow();
  ASSERT_TRUE(m_session.reachesPhase(LinkPhase::connected));
  EXPECT_THAT(m_ssh.starts().back(), Not(HasSubstr("BatchMode")));
}

TEST_F(ReconnectingAgentTest, ARebootedHostIsAnotherHost) {
  std::vector<std::byte> stream;
  TraceWriter writer(stream);
  writer.write(test::exampleHello());
  m_ssh.says(stream);
  m_ssh.endNewest();
  const auto restarted = m_session.waitFor([](const SessionSnapshot& seen) {
    return seen.places.size() == 1 && seen.places[0].bootId == test::exampleHello().place.bootId;
  });
  ASSERT_TRUE(restarted);
  EXPECT_FALSE(test::rowOf(*restarted, m_cookie)) << "a cookie from before the reboot means nothing now";
  EXPECT_FALSE(restarted->places[0].lostSince);
}

TEST_F(ReconnectingAgentTest, WhereTheProgramIsGoneThatIsSaid) {
  m_ssh.fails("bash: line 1: tcpscope-cli: command not found", 127);
  m_ssh.endNewest();
  ASSERT_TRUE(m_session.reachesPhase(LinkPhase::stopped));
  EXPECT_EQ(m_session.state().why->errorNumber, ENOPKG);
}

TEST(ReconnectingAgentAtFirst, IsGivenUpWhenCancelled) {
  const test::PretendedSsh ssh;
  ssh.staysSilent();
  auto agent = StartedAgent::startBySsh("db1", SshManner::asking);
  ASSERT_TRUE(agent);
  const auto link = AgentLink::open();
  ASSERT_TRUE(link);
  (*link)->giveUp();
  const auto opened = ReconnectingAgent::open("db1", std::move(*agent), PlaceId{1}, monotonicNow() + 600s, *link);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().errorNumber, ECANCELED);
}

TEST(ReconnectingAgentAtFirst, IsCalledByItsNameAndNamespaceAndByTheRestOfItsAddress) {
  const test::PretendedSsh ssh;
  const std::string host = readPlace(PlaceId{1}).host.rawBytes();
  const auto nameOf = [](const std::string& address) {
    auto agent = StartedAgent::startBySsh(address, SshManner::asking);
    const auto link = AgentLink::open();
    const auto opened =
        ReconnectingAgent::open(address, std::move(*agent), PlaceId{1}, monotonicNow() + 60s, link.value());
    return opened ? (*opened)->place().host.rawBytes() : std::string();
  };
  EXPECT_EQ(nameOf("me@elsewhere"), host + " (me@elsewhere)");
  EXPECT_EQ(nameOf("me@elsewhere/web"), host + "/web (me@elsewhere)");
  EXPECT_EQ(nameOf(host + "/web"), host + "/web");
}

TEST(ReconnectingAgentAtFirst, AHostThatRefusesIsAnErrorAndNotTriedAgain) {
  const test::PretendedSsh ssh;
  ssh.fails("me@db1: Permission denied (publickey).", 255);
  auto agent = StartedAgent::startBySsh("db1", SshManner::asking);
  ASSERT_TRUE(agent);
  const auto link = AgentLink::open();
  ASSERT_TRUE(link);
  const auto opened = ReconnectingAgent::open("db1", std::move(*agent), PlaceId{1}, monotonicNow() + 60s, *link);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().errorNumber, EACCES);
  EXPECT_EQ(ssh.starts().size(), 1U);
}

}  // namespace
}  // namespace tcpscope
