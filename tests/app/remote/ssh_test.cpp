// Agents behind a real ssh and a real sshd.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "app/remote/agents_session.h"
#include "app/remote/ssh_capture.h"
#include "app/remote/started_agent.h"
#include "core/filter/packet_filter.h"
#include "tests/app/session/reported_capture.h"
#include "tests/support/loopback_connection.h"
#include "tests/support/session_watch.h"
#include "tests/support/ssh_server.h"
#include "tests/support/talking_namespace.h"

namespace tcpscope {
namespace {

class SshTest : public testing::Test {
protected:
  void SetUp() override {
    if (!m_server.whyNot().empty()) GTEST_SKIP() << m_server.whyNot();
  }
  Expected<std::unique_ptr<LiveSession>, SystemError> reach(const std::string& address) {
    auto agent = StartedAgent::startBySsh(address);
    if (!agent) return Unexpected<SystemError>(agent.error());
    m_agent = std::move(*agent);
    AgentsSessionSettings settings;
    settings.timeout = std::chrono::minutes(1);
    return openAgentsSession({m_agent->pipes()}, settings);
  }
  std::optional<SystemError> whyUnreached(const std::string& address) {
    const auto session = reach(address);
    return session ? std::nullopt : std::optional(session.error());
  }

  test::SshServer m_server;
  /// Outlives every session that hears it.
  std::unique_ptr<StartedAgent> m_agent;
};

TEST_F(SshTest, ShowsTheConnectionsOfTheHost) {
  const test::LoopbackListener listener;
  const auto ends = listener.connect();
  const auto session = reach(m_server.address());
  ASSERT_TRUE(session) << session.error().object.rawBytes();
  const std::uint64_t cookie = test::cookieOf(ends.first);
  EXPECT_TRUE(test::waitForSnapshot(
      **session, [&](const SessionSnapshot& seen) { return test::rowOf(seen, cookie).has_value(); }));
}

TEST_F(SshTest, ShowsTheConnectionsOfEveryNamespaceOfTheHost) {
  const test::TalkingNamespace talking;
  if (!talking.isThere()) GTEST_SKIP() << "no network namespaces here";
  const auto session = reach(m_server.address() + "/all");
  ASSERT_TRUE(session) << session.error().object.rawBytes();
  EXPECT_TRUE(test::waitForSnapshot(
      **session, [&](const SessionSnapshot& seen) { return test::establishedIn(seen, talking.pid()) != nullptr; }));
}

TEST_F(SshTest, CapturesThePacketsThatPassTheHost) {
  const test::LoopbackListener listener;
  const auto ends = listener.connect();
  CaptureOrder order;
  order.remote = {IpAddress::v4({127, 0, 0, 1}), listener.port()};
  order.local = {order.remote.address, test::portOf(ends.first)};
  order.request.number = 1;
  order.request.filter = packetFilterOf(order.local, order.remote);
  test::ReportedCapture reported;
  const auto capture =
      ConnectionCapture::start(order, captureMeansBySsh(m_server.address(), std::nullopt), reported.sink());
  ASSERT_TRUE(capture);
  const CaptureObservation begun =
      reported.waitFor([](const auto& one) { return one.state.phase != LiveCapturePhase::starting; });
  ASSERT_NE(begun.state.phase, LiveCapturePhase::starting);
  const bool mayCapture = geteuid() == 0;
  if (begun.state.phase == LiveCapturePhase::failed && !mayCapture) GTEST_SKIP() << "this user may not capture";
  ASSERT_EQ(begun.state.phase, LiveCapturePhase::running) << begun.state.error->reason.rawBytes();
  ASSERT_EQ(write(ends.first.number(), "x", 1), 1);
  const CaptureObservation seen = reported.waitFor([](const auto& one) { return one.state.connectionPackets > 0; });
  EXPECT_GT(seen.state.connectionPackets, 0U);
  EXPECT_EQ(seen.state.dropped, 0U);
  EXPECT_FALSE(seen.state.clockError) << "nothing is known of that host's clock";
}

TEST_F(SshTest, ReportsAnUnreachablePort) {
  std::uint16_t closed = test::LoopbackListener().port();
  const auto why = whyUnreached("127.0.0.1:" + std::to_string(closed));
  ASSERT_TRUE(why);
  EXPECT_EQ(why->attempt, SystemAttempt::reachAgent);
  EXPECT_EQ(why->errorNumber, EPIPE);
}

TEST_F(SshTest, ComesNotInWithTheWrongKey) {
  m_server.forgetKeys();
  const auto why = whyUnreached(m_server.address());
  ASSERT_TRUE(why);
  EXPECT_EQ(why->attempt, SystemAttempt::reachAgent);
}

TEST_F(SshTest, AsksNothingOfAHostThatIsAnother) {
  m_server.changeHostKey();
  ASSERT_EQ(m_server.whyNot(), "");
  const auto why = whyUnreached(m_server.address());
  ASSERT_TRUE(why);
  EXPECT_EQ(why->attempt, SystemAttempt::reachAgent);
}

TEST_F(SshTest, TakesNoOptionForAHost) {
  for (const char* address : {"-oProxyCommand=touch /tmp/x", "-l", "", "a b", "host;id", "$(id)", "host\n"}) {
    const auto why = whyUnreached(address);
    ASSERT_TRUE(why) << address;
    EXPECT_EQ(why->errorNumber, EINVAL) << address;
  }
}

}  // namespace
}  // namespace tcpscope
