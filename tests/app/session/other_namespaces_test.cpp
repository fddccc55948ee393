// Real network namespaces: each is a process that this test starts, with a connection over its own loopback device.
#include "app/session/other_namespaces.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <ctime>
#include <set>

#include "tests/support/loopback_connection.h"
#include "tests/support/namespace_process.h"
#include "tests/support/own_namespace.h"
#include "tests/support/serving_namespace.h"

namespace tcpscope {
namespace {

/// The inode of its network namespace, as the place of one without a name and a container is called.
std::string inodeOf(const std::string& pid) {
  struct stat status {};
  const std::string path = "/proc/" + pid + "/ns/net";
  return stat(path.c_str(), &status) == 0 ? std::to_string(status.st_ino) : std::string();
}

/// With a connection over its loopback device, both ends of it.
class OtherNamespace : public test::NamespaceProcess {
public:
  OtherNamespace()
      : NamespaceProcess([] {
          test::enterOwnNamespace();
          using Connection = std::pair<test::Descriptor, test::Descriptor>;
          return test::hasOwnNamespace() ? std::optional<Connection>(test::LoopbackListener().connect()) : std::nullopt;
        }) {}

  [[nodiscard]] std::string inode() const { return inodeOf(pid()); }
};

/// Until the kernel's jiffies have passed on twice.
void awaitTicks() {
  const auto tick = [] {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
    return time.tv_nsec;
  };
  for (int passed = 0; passed < 2; ++passed) {
    for (const auto before = tick(); tick() == before;) {
    }
  }
}

/// What came of each place.
struct Seen {
  std::map<PlaceId, std::string> names;
  std::map<PlaceId, std::size_t> established;
  std::map<PlaceId, std::size_t> listening;
  std::map<PlaceId, std::uint64_t> unchanged;
  std::map<PlaceId, std::size_t> ended;
  std::set<std::string> left;

  ObservationSink sink() {
    return [this](ObservationBatch&& batch) {
      if (batch.appeared) names[batch.place] = batch.appeared->networkNamespace;
      if (batch.turn == PlaceTurn::left) left.insert(names[batch.place]);
      unchanged[batch.place] += batch.unchanged;
      if (batch.dumpEndedAt) ++ended[batch.place];
      for (const SocketObservation& socket : batch.changed) {
        EXPECT_EQ(socket.id.place, batch.place);
        if (socket.state == TcpState::established) ++established[batch.place];
        if (socket.state == TcpState::listen) ++listening[batch.place];
      }
      return true;
    };
  }
  [[nodiscard]] std::optional<PlaceId> placeNamed(const std::string& name) const {
    const auto found = std::find_if(names.begin(), names.end(), [&](const auto& one) { return one.second == name; });
    return found == names.end() ? std::nullopt : std::optional(found->first);
  }
};

class OtherNamespacesTest : public testing::Test {
protected:
  void SetUp() override {
    auto own = findLocalPlace(std::string(kAllNamespaces));
    ASSERT_TRUE(own);
    ASSERT_TRUE(own->andOthers);
    own->access.now = [this] { return m_now; };
    m_namespaces.emplace(*own);
  }
  void pass(std::chrono::seconds time) { m_now = m_now + time; }

  std::optional<OtherNamespaces> m_namespaces;
  Seen m_seen;

private:
  Moment m_now = Moment() + std::chrono::seconds(100);
};

TEST_F(OtherNamespacesTest, BringsTheSocketsOfEachUnderAPlaceOfItsOwn) {
  const OtherNamespace one;
  const OtherNamespace two;
  if (!one.isThere() || !two.isThere()) GTEST_SKIP() << "no network namespaces here";
  m_namespaces->poll(m_seen.sink());
  const auto first = m_seen.placeNamed(one.inode());
  const auto second = m_seen.placeNamed(two.inode());
  ASSERT_TRUE(first);
  ASSERT_TRUE(second);
  EXPECT_NE(*first, *second);
  // Both ends of the connection.
  EXPECT_EQ(m_seen.established[*first], 2U);
  EXPECT_EQ(m_seen.established[*second], 2U);
}

TEST_F(OtherNamespacesTest, FindsOneThatComesLaterAndSaysWhichHaveGone) {
  std::optional<OtherNamespace> early(std::in_place);
  if (!early->isThere()) GTEST_SKIP() << "no network namespaces here";
  const std::string gone = early->inode();
  m_namespaces->poll(m_seen.sink());
  ASSERT_TRUE(m_seen.placeNamed(gone));
  early.reset();
  const OtherNamespace late;
  m_namespaces->poll(m_seen.sink());
  EXPECT_FALSE(m_seen.placeNamed(late.inode()));
  pass(std::chrono::seconds(6));
  m_namespaces->poll(m_seen.sink());
  EXPECT_TRUE(m_seen.placeNamed(late.inode()));
  EXPECT_TRUE(m_seen.left.contains(gone));
  const std::vector<std::string> vanished = m_namespaces->takeVanished();
  EXPECT_NE(std::find(vanished.begin(), vanished.end(), gone), vanished.end());
}

// The kernel gives the inode of one that has gone to the next one.
TEST_F(OtherNamespacesTest, GivesAPlaceToOneNamespaceAlone) {
  std::optional<OtherNamespace> early(std::in_place);
  if (!early->isThere()) GTEST_SKIP() << "no network namespaces here";
  m_namespaces->poll(m_seen.sink());
  const auto first = m_seen.placeNamed(early->inode());
  ASSERT_TRUE(first);
  early.reset();
  pass(std::chrono::seconds(6));
  m_namespaces->poll(m_seen.sink());
  const OtherNamespace late;
  pass(std::chrono::seconds(6));
  Seen later;
  m_namespaces->poll(later.sink());
  const auto second = later.placeNamed(late.inode());
  ASSERT_TRUE(second);
  EXPECT_NE(*first, *second);
}

TEST_F(OtherNamespacesTest, SaysAgainWhatFoundNoRoom) {
  const OtherNamespace one;
  if (!one.isThere()) GTEST_SKIP() << "no network namespaces here";
  m_namespaces->poll([](ObservationBatch&&) { return false; });
  pass(std::chrono::seconds(6));
  m_namespaces->poll(m_seen.sink());
  EXPECT_TRUE(m_seen.placeNamed(one.inode()));
}

/// One namespace whose sockets were all seen once.
class ActiveNamespace : public OtherNamespacesTest {
protected:
  void SetUp() override {
    OtherNamespacesTest::SetUp();
    if (!m_other.isThere()) GTEST_SKIP() << "no network namespaces here";
    m_namespaces->poll(m_seen.sink());
    const auto place = m_seen.placeNamed(inodeOf(m_other.pid()));
    ASSERT_TRUE(place);
    m_place = *place;
  }
  /// What the next poll brings.
  Seen poll() {
    Seen seen;
    m_namespaces->poll(seen.sink());
    return seen;
  }
  /// Polls until no more is news, as after the last segment.
  void settle() {
    for (int round = 0; round < 3; ++round) poll();
  }
  /// Both ends of its connection and the listener.
  static constexpr std::uint64_t kSockets = 3;

  test::ServingNamespace m_other;
  PlaceId m_place;
};

TEST_F(ActiveNamespace, ShowsAtTheNextPollWhatWasSent) {
  m_other.send();
  EXPECT_EQ(poll().established[m_place], 2U);
}

TEST_F(ActiveNamespace, ShowsAtTheNextPollWhatConnected) {
  m_other.connect();
  EXPECT_GE(poll().established[m_place], 2U);
}

TEST_F(ActiveNamespace, IsLeftAloneWhileItIsQuiet) {
  settle();
  m_other.listen();
  for (int round = 0; round < 3; ++round) {
    Seen seen = poll();
    EXPECT_EQ(seen.unchanged[m_place], kSockets) << round;
    EXPECT_EQ(seen.ended[m_place], 1U) << round;
    EXPECT_EQ(seen.listening[m_place], 0U) << "no dump: " << round;
  }
  m_other.send();
  Seen seen = poll();
  EXPECT_EQ(seen.established[m_place], 2U) << "the quiet is over";
  EXPECT_EQ(seen.listening[m_place], 0U) << "no dump, each socket is asked for";
}

TEST_F(ActiveNamespace, ShowsEachConnectionThatOpensAmongOthersThatSend) {
  for (std::size_t opened = 1; opened <= 3; ++opened) {
    m_other.send();
    m_other.connect();
    EXPECT_EQ(poll().established[m_place], 4U) << "both that sent, both ends of the new one: " << opened;
    // Meanwhile nothing opens.
    m_other.send();
    Seen seen = poll();
    EXPECT_EQ(seen.established[m_place], 2U) << opened;
    EXPECT_EQ(seen.unchanged[m_place], kSockets + 2 * opened - 2) << opened;
  }
}

TEST_F(ActiveNamespace, ShowsAConnectionThatSendsAfterALongSilenceBesideOthers) {
  for (int opened = 0; opened < 8; ++opened) m_other.connect();
  poll();
  // Longer than a connection counts as one that changes; the acknowledgments have come.
  for (int round = 0; round < 12; ++round) poll();
  m_other.send();
  EXPECT_EQ(poll().established[m_place], 2U) << "the namespace sent, and none of those asked for did";
  m_other.send();
  Seen seen = poll();
  EXPECT_EQ(seen.established[m_place], 2U);
  EXPECT_EQ(seen.unchanged[m_place], kSockets + 2 * 8 - 2) << "all others";
  EXPECT_EQ(seen.ended[m_place], 1U);
}

TEST_F(ActiveNamespace, ShowsWithinHalfAMinuteAListenerThatSendsNothing) {
  settle();
  m_other.listen();
  Seen seen;
  for (int second = 0; second < 31; ++second) {
    pass(std::chrono::seconds(1));
    m_namespaces->poll(seen.sink());
  }
  EXPECT_EQ(seen.listening[m_place], 1U);
}

// The time that it waits grows in the kernel's ticks, though no segment leaves between two probes of the closed window.
TEST_F(ActiveNamespace, IsNotLeftAloneWhileASenderWaitsForItsPeer) {
  m_other.fill();
  for (int round = 0; round < 6; ++round) {
    awaitTicks();
    EXPECT_GE(poll().established[m_place], 1U) << round;
  }
}

TEST_F(ActiveNamespace, BringsAgainWhatFoundNoRoom) {
  settle();
  m_other.listen();
  pass(std::chrono::seconds(31));
  m_namespaces->poll([](ObservationBatch&&) { return false; });
  EXPECT_EQ(poll().listening[m_place], 1U) << "another dump, though all is quiet";
}

}  // namespace
}  // namespace tcpscope
