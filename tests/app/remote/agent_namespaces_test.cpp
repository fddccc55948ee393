// One agent that reports every network namespace of its host, with real namespaces and real connections in them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/remote/agents_session.h"
#include "app/remote/polled_agent.h"
#include "app/remote/reconnecting_agent.h"
#include "app/remote/ssh_capture.h"
#include "collectors/system/monotonic_clock.h"
#include "tests/support/pretended_ssh.h"
#include "tests/support/session_watch.h"
#include "tests/support/talking_namespace.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;

constexpr PlaceId kHost{1};

/// A host that a session looks at through `ssh` of this address.
class AgentNamespaces : public testing::Test {
protected:
  void SetUp() override {
    if (!m_talking->isThere()) GTEST_SKIP() << "no network namespaces here";
    m_ssh.runsWords();
  }
  void join(const std::string& address) {
    auto agent = StartedAgent::startBySsh(address, SshManner::asking);
    ASSERT_TRUE(agent);
    auto link = AgentLink::open();
    ASSERT_TRUE(link);
    m_link = *link;
    auto collector = ReconnectingAgent::open(address, std::move(*agent), kHost, monotonicNow() + 60s, m_link);
    ASSERT_TRUE(collector) << collector.error().errorNumber;
    auto session = openAgentsSession({}, {});
    ASSERT_TRUE(session);
    m_session = std::move(*session);
    const Place place = (*collector)->place();
    m_hostName = place.host.rawBytes();
    ASSERT_TRUE(m_session->join(place, std::move(*collector), captureMeansBySsh(address, std::nullopt)));
    m_session->setControl(m_control);
  }
  /// Null after a minute.
  std::shared_ptr<const SessionSnapshot> waitForTransfer(bool isUnheard = false) {
    return test::waitForSnapshot(*m_session, [&](const SessionSnapshot& seen) {
      const ConnectionFacts* const facts = test::establishedIn(seen, m_talking->pid());
      return facts != nullptr && rowOf(seen, facts->id).unheard == isUnheard;
    });
  }
  [[nodiscard]] ConnectionId transferIn(const SessionSnapshot& seen) const {
    return test::establishedIn(seen, m_talking->pid())->id;
  }
  static ConnectionRow rowOf(const SessionSnapshot& seen, ConnectionId id) {
    return test::rowOf(seen, id.cookie).value_or(ConnectionRow());
  }
  static const Place* placeOf(const SessionSnapshot& seen, PlaceId id) {
    const auto found = std::ranges::find(seen.places, id, &Place::id);
    return found == seen.places.end() ? nullptr : &*found;
  }

  test::PretendedSsh m_ssh;
  std::optional<test::TalkingNamespace> m_talking{std::in_place};
  std::shared_ptr<AgentLink> m_link;
  std::unique_ptr<LiveSession> m_session;
  std::string m_hostName;
  SessionControl m_control = [] {
    SessionControl control;
    control.listInterval = 50ms;
    return control;
  }();
};

TEST_F(AgentNamespaces, AreEachAPlaceOfThatHost) {
  join("root@db1/all");
  const auto listed = waitForTransfer();
  ASSERT_TRUE(listed);
  const ConnectionId id = transferIn(*listed);
  EXPECT_TRUE(namespaceNumber(id.place, kHost));
  const Place* const place = placeOf(*listed, id.place);
  ASSERT_NE(place, nullptr);
  EXPECT_EQ(place->host.rawBytes(), m_hostName) << "as the host itself is called";
  EXPECT_EQ(m_hostName.find("/all"), std::string::npos) << m_hostName;
  EXPECT_TRUE(listed->settings(id.place).three("net.ipv4.tcp_rmem")) << "what is set there";
  EXPECT_TRUE(test::waitForSnapshot(*m_session, [&](const SessionSnapshot& seen) {
    const Owner* const owner = seen.owner(rowOf(seen, id));
    return owner != nullptr && std::to_string(owner->pid) == m_talking->pid();
  })) << "the program behind it";
}

TEST_F(AgentNamespaces, AreNotReportedUnasked) {
  join("root@db1");
  const auto seen = test::waitForSnapshot(*m_session, [](const SessionSnapshot& one) { return one.number > 20; });
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->places.size(), 1U);
  EXPECT_EQ(m_ssh.starts().back().find("--netns"), std::string::npos);
}

TEST_F(AgentNamespaces, HaveTheirConnectionInFocusSampledThere) {
  m_control.listInterval = 1h;
  join("root@db1/all");
  const auto listed = waitForTransfer();
  ASSERT_TRUE(listed);
  const ConnectionId id = transferIn(*listed);
  m_control.focus = id;
  m_session->setControl(m_control);
  EXPECT_TRUE(test::waitForSnapshot(*m_session, [id](const SessionSnapshot& seen) {
    const auto detail = seen.details.find(id);
    return detail != seen.details.end() && detail->second->history.sampleCount() >= 10;
  })) << "more than one come of the exact requests alone";
}

TEST_F(AgentNamespaces, LeaveWhenTheyVanish) {
  join("root@db1/all");
  const auto listed = waitForTransfer();
  ASSERT_TRUE(listed);
  const PlaceId place = transferIn(*listed).place;
  m_talking.reset();
  EXPECT_TRUE(
      test::waitForSnapshot(*m_session, [&](const SessionSnapshot& seen) { return placeOf(seen, place) == nullptr; }));
}

TEST_F(AgentNamespaces, AreLostAndReturnWithTheirHost) {
  join("root@db1/all");
  const auto listed = waitForTransfer();
  ASSERT_TRUE(listed);
  const ConnectionId id = transferIn(*listed);
  m_ssh.staysSilent();
  m_ssh.endNewest();
  const auto lost = waitForTransfer(true);
  ASSERT_TRUE(lost);
  EXPECT_TRUE(placeOf(*lost, id.place)->lostSince);
  m_ssh.runsWords();
  m_link->connectNow();
  const auto back = waitForTransfer();
  ASSERT_TRUE(back);
  const ConnectionRow row = rowOf(*back, id);
  EXPECT_EQ(row.id, id) << "the same place, and the same connection";
  EXPECT_FALSE(row.closed);
  EXPECT_FALSE(placeOf(*back, id.place)->lostSince);
}

TEST_F(AgentNamespaces, LeaveWithTheirHost) {
  join("root@db1/all");
  ASSERT_TRUE(waitForTransfer());
  m_session->leave(kHost);
  EXPECT_TRUE(test::waitForSnapshot(*m_session, [](const SessionSnapshot& seen) { return seen.places.empty(); }));
}

TEST_F(AgentNamespaces, AreInWhatACommandHearsBeforeTheFirstDumpOfTheHostEnds) {
  const auto agent = PolledAgent::reach("root@db1/all", AgentMeans::installed, m_control, {});
  ASSERT_TRUE(agent);
  const auto heard = (*agent)->hear({-1, [] { return false; }},
                                    [&](const ObservationBatch& batch) { return (*agent)->endsDump(batch); });
  ASSERT_TRUE(heard);
  EXPECT_NE(test::establishedIn(*(*agent)->session().tick(monotonicNow()), m_talking->pid()), nullptr);
}

TEST_F(AgentNamespaces, AreNotToBeHadThroughSs) {
  const auto agent = StartedAgent::startBySsh("db1/all", SshManner::asking, AgentMeans::throughSs);
  ASSERT_FALSE(agent);
  EXPECT_EQ(agent.error().errorNumber, ENOTSUP);
}

TEST(AddressInNamespace, IsThatOfTheHostWithTheNameThatIpNetnsKnows) {
  Place place;
  place.networkNamespace = "web";
  EXPECT_EQ(addressInNamespace("root@db1:22/all", place), "root@db1:22/web");
  EXPECT_EQ(addressInNamespace("db1", place), "db1/web");
  place.networkNamespace = "4026531840";
  EXPECT_EQ(addressInNamespace("db1/all", place), std::nullopt);
  for (const char* const name : {"all", "a b", "-x", "", "a/b", "$(id)"}) {
    place.networkNamespace = name;
    EXPECT_EQ(addressInNamespace("db1/all", place), std::nullopt) << name;
  }
}

TEST(AgentNamespacesCapture, IsMadeInTheNamespaceByItsName) {
  Place place;
  place.networkNamespace = "web";
  const CaptureMeans ofHost = captureMeansBySsh("root@db1/all", std::nullopt);
  ASSERT_TRUE(ofHost.inNamespace);
  const auto inWeb = ofHost.inNamespace(place);
  ASSERT_TRUE(inWeb);
  const test::PretendedSsh ssh;
  ssh.fails("no", 1);
  const auto capturing = inWeb->process({.interface = "eth0", .filter = "tcp"});
  ASSERT_TRUE(capturing);
  char none = 0;
  EXPECT_EQ(::read((*capturing)->descriptor(), &none, 1), 0);
  ASSERT_EQ(ssh.starts().size(), 1U);
  EXPECT_THAT(ssh.starts()[0], testing::HasSubstr("-- db1 ip netns exec web tcpscope-cli capture"));
}

}  // namespace
}  // namespace tcpscope
