// Hosts that join and leave a running session by the window's door; an agent here stands for one behind ssh.
#include "app/desktop/host_connector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "app/remote/agents_session.h"
#include "collectors/system/monotonic_clock.h"
#include "tests/support/loopback_connection.h"
#include "tests/support/pretended_ssh.h"
#include "tests/support/session_watch.h"
#include "tests/support/talking_namespace.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::IsEmpty;

class HostConnectorTest : public testing::Test {
protected:
  void SetUp() override {
    auto session = openAgentsSession({}, {});
    ASSERT_TRUE(session.has_value());
    m_session = std::move(*session);
    m_connector.emplace(*m_session, std::vector<JoinedHost>(), monotonicNow);
  }
  /// What is left of it once nothing connects any more; a minute at most.
  ConnectState outcome() {
    const auto deadline = std::chrono::steady_clock::now() + 60s;
    ConnectState state = m_connector->connecting();
    while (state.phase == ConnectPhase::connecting && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::sleep_for(1ms);
      state = m_connector->connecting();
    }
    return state;
  }
  bool showsPlaces(std::size_t count) {
    return test::waitForSnapshot(
               *m_session, [count](const SessionSnapshot& seen) { return seen.places.size() == count; }) != nullptr;
  }

  test::PretendedSsh m_ssh;
  std::unique_ptr<LiveSession> m_session;
  std::optional<HostConnector> m_connector;
};

TEST_F(HostConnectorTest, AHostJoinsTheRunningSessionAndLeavesIt) {
  const test::LoopbackListener listener;
  const auto ends = listener.connect();
  m_connector->connectTo(" ssh://root@db1:2222 ", HostMeans::installed);
  EXPECT_EQ(outcome().phase, ConnectPhase::none);
  const std::vector<ConnectedHost> hosts = m_connector->hosts();
  ASSERT_EQ(hosts.size(), 1U);
  EXPECT_EQ(hosts[0].name, "root@db1:2222");
  EXPECT_EQ(hosts[0].phase, HostPhase::connected);
  const PlaceId place{hosts[0].number};
  ASSERT_TRUE(m_connector->hostAt(place));
  EXPECT_EQ(m_connector->hostAt(place)->address, "root@db1:2222");
  EXPECT_TRUE(m_connector->hostAt(place)->isConnected);
  const std::uint64_t cookie = test::cookieOf(ends.first);
  EXPECT_TRUE(test::waitForSnapshot(
      *m_session, [&](const SessionSnapshot& seen) { return test::rowOf(seen, cookie).has_value(); }));
  m_connector->disconnect(hosts[0].number);
  EXPECT_THAT(m_connector->hosts(), IsEmpty());
  EXPECT_FALSE(m_connector->hostAt(place));
  EXPECT_TRUE(showsPlaces(0));
}

TEST_F(HostConnectorTest, NamespacesOfAHostAreReachedByTheirNames) {
  m_connector->connectTo("root@db1/all", HostMeans::installed);
  EXPECT_EQ(outcome().phase, ConnectPhase::none);
  ASSERT_EQ(m_connector->hosts().size(), 1U);
  const PlaceId host{m_connector->hosts()[0].number};
  ASSERT_TRUE(m_connector->hostAt(host));
  EXPECT_EQ(m_connector->hostAt(host)->address, "root@db1") << "its own is that of the login";
  ASSERT_TRUE(showsPlaces(1));
  EXPECT_FALSE(m_connector->hostAt(placeOfNamespace(host, 3))) << "none appeared";
}

TEST_F(HostConnectorTest, ANamedNamespaceIsReachedByAnAddressOfItsOwn) {
  const test::TalkingNamespace talking;
  if (!talking.isThere() || geteuid() != 0) GTEST_SKIP() << "names for network namespaces take root";
  m_ssh.runsWords(m_ssh.shellWithNamespace("web", talking.pid()));
  m_connector->connectTo("root@db1:22/all", HostMeans::installed);
  EXPECT_EQ(outcome().phase, ConnectPhase::none);
  const auto isWeb = [](const Place& place) { return place.networkNamespace == "web"; };
  const auto seen = test::waitForSnapshot(
      *m_session, [&](const SessionSnapshot& one) { return std::ranges::any_of(one.places, isWeb); });
  ASSERT_TRUE(seen);
  const auto host = m_connector->hostAt(std::ranges::find_if(seen->places, isWeb)->id);
  ASSERT_TRUE(host);
  EXPECT_EQ(host->address, "root@db1:22/web");
  EXPECT_TRUE(host->isConnected);
}

TEST_F(HostConnectorTest, WhatLooksLikeAnOptionNeverReachesSsh) {
  for (const char* typed : {"-oProxyCommand=touch /tmp/x", "ssh://-oProxyCommand=x", "", "a b", "$(id)"}) {
    m_connector->connectTo(typed, HostMeans::installed);
    const ConnectState state = m_connector->connecting();
    EXPECT_EQ(state.phase, ConnectPhase::failed) << typed;
    EXPECT_THAT(state.notice, HasSubstr("is not a host")) << typed;
  }
  EXPECT_THAT(m_ssh.starts(), IsEmpty());
}

TEST_F(HostConnectorTest, SaysWhyItCouldNotAndForgetsIt) {
  m_ssh.fails("me@db1: Permission denied (publickey).", 255);
  m_connector->connectTo("db1", HostMeans::installed);
  const ConnectState state = outcome();
  EXPECT_EQ(state.phase, ConnectPhase::failed);
  EXPECT_THAT(state.notice, HasSubstr("'db1' refused the login"));
  EXPECT_THAT(m_connector->hosts(), IsEmpty());
  m_connector->cancel();
  EXPECT_EQ(m_connector->connecting().phase, ConnectPhase::none);
}

TEST_F(HostConnectorTest, SaysThatTheProgramIsMissingThere) {
  m_ssh.fails("bash: line 1: tcpscope-cli: command not found", 127);
  m_connector->connectTo("db1", HostMeans::installed);
  EXPECT_THAT(outcome().notice, HasSubstr("install the package tcpscope-cli there"));
}

TEST_F(HostConnectorTest, AHostWithoutTheProgramIsReachedByOtherMeans) {
  const test::LoopbackListener listener;
  const auto ends = listener.connect();
  m_ssh.isBareHost();
  m_connector->connectTo("db1", HostMeans::installed);
  EXPECT_TRUE(outcome().lacksAgent);
  m_connector->connectTo("db1", HostMeans::throughSs);
  EXPECT_EQ(outcome().phase, ConnectPhase::none) << outcome().notice;
  ASSERT_EQ(m_connector->hosts().size(), 1U);
  EXPECT_EQ(m_connector->hosts()[0].means, HostMeans::throughSs);
  const std::uint64_t cookie = test::cookieOf(ends.first);
  const auto seen = test::waitForSnapshot(
      *m_session, [&](const SessionSnapshot& snapshot) { return test::rowOf(snapshot, cookie).has_value(); });
  ASSERT_NE(seen, nullptr);
  EXPECT_THAT(seen->places.at(0).host.rawBytes(), HasSubstr("(through ss)"));
}

TEST_F(HostConnectorTest, ADisconnectedHostIsReachedByOtherMeansOnRequest) {
  m_connector->connectTo("db1", HostMeans::installed);
  ASSERT_EQ(outcome().phase, ConnectPhase::none);
  m_ssh.isBareHost();
  m_ssh.endNewest();
  const auto waitFor = [this](auto condition) {
    const auto deadline = std::chrono::steady_clock::now() + 60s;
    while (!condition(m_connector->hosts().at(0)) && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::sleep_for(1ms);
    }
    return m_connector->hosts().at(0);
  };
  const ConnectedHost lost = waitFor([](const ConnectedHost& host) { return host.phase == HostPhase::stopped; });
  ASSERT_TRUE(lost.lacksAgent) << lost.notice;
  m_connector->connectAgain(lost.number, HostMeans::throughSs);
  const ConnectedHost back = waitFor([](const ConnectedHost& host) { return host.phase == HostPhase::connected; });
  EXPECT_EQ(back.phase, HostPhase::connected) << back.notice;
  EXPECT_EQ(back.means, HostMeans::throughSs);
}

TEST_F(HostConnectorTest, AHostThatIsThereAlreadyIsNotTakenTwice) {
  m_connector->connectTo("db1", HostMeans::installed);
  ASSERT_EQ(outcome().phase, ConnectPhase::none);
  m_connector->connectTo("ssh://db1", HostMeans::installed);
  EXPECT_THAT(outcome().notice, HasSubstr("already in the list"));
  EXPECT_EQ(m_connector->hosts().size(), 1U);
}

TEST_F(HostConnectorTest, WhatWasGivenUpDoesNotJoin) {
  m_ssh.staysSilent();
  m_connector->connectTo("db1", HostMeans::installed);
  EXPECT_EQ(m_connector->connecting().phase, ConnectPhase::connecting);
  m_connector->cancel();
  EXPECT_EQ(m_connector->connecting().phase, ConnectPhase::none);
  m_ssh.connects();
  m_connector->connectTo("db2", HostMeans::installed);
  EXPECT_EQ(outcome().phase, ConnectPhase::none) << "the next one need not wait for the silent one";
  EXPECT_EQ(m_connector->hosts().size(), 1U);
  EXPECT_TRUE(showsPlaces(1));
}

TEST_F(HostConnectorTest, ReportsWhenTheNextAttemptIsDue) {
  m_connector->connectTo("db1", HostMeans::installed);
  ASSERT_EQ(outcome().phase, ConnectPhase::none);
  m_ssh.fails("ssh: connect to host db1 port 22: Connection refused", 255);
  m_ssh.endNewest();
  const auto deadline = std::chrono::steady_clock::now() + 60s;
  ConnectedHost host = m_connector->hosts().at(0);
  while (host.phase != HostPhase::waiting && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(1ms);
    host = m_connector->hosts().at(0);
  }
  ASSERT_EQ(host.phase, HostPhase::waiting);
  EXPECT_TRUE(host.retryIn);
  EXPECT_THAT(host.notice, HasSubstr("'db1'"));
  EXPECT_FALSE(m_connector->hostAt(PlaceId{host.number})->isConnected);
}

}  // namespace
}  // namespace tcpscope
