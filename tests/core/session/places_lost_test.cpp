// A place whose agent is lost for a while: it returns, turns out to be another host, or is gone for good.
#include "core/session/places_lost.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/core/session/session_polls.h"

namespace tcpscope {
namespace {

using test::connection;
using test::dumpOf;
using test::moment;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using namespace std::chrono_literals;

class PlacesLostTest : public test::SessionPolls {
protected:
  void SetUp() override {
    Place place;
    place.host = UntrustedText("db1");
    m_session.setPlaces({place}, {});
  }
  std::shared_ptr<const SessionSnapshot> turn(PlaceTurn turn, Nanoseconds now, const char* host = nullptr) {
    ObservationBatch batch;
    batch.turn = turn;
    if (host != nullptr) {
      Place place;
      place.host = UntrustedText(host);
      batch.appeared = std::make_shared<const Place>(place);
    }
    m_session.accept(batch);
    return m_session.tick(moment(now));
  }
};

TEST_F(PlacesLostTest, connectionsOfALostPlaceAreNotShownAsAlive) {
  poll(1s, {connection(1, 1s).acked(0).build()});
  EXPECT_GT(onlyRow(*poll(2s, {connection(1, 2s).acked(1'000'000).build()})).sendRateBps, 0.0F);
  const auto lost = turn(PlaceTurn::lost, 3s);
  const ConnectionRow row = onlyRow(*lost);
  EXPECT_TRUE(row.unheard);
  EXPECT_FALSE(row.closed) << "that is not known";
  EXPECT_TRUE(std::isnan(row.sendRateBps));
  EXPECT_TRUE(std::isnan(row.rttUs));
  EXPECT_EQ(row.limit, Limit::unknown);
  EXPECT_EQ(m_session.detail(row.id)->window.span(), 0s);
  ASSERT_EQ(lost->places.size(), 1U);
  EXPECT_EQ(lost->places[0].lostSince, moment(3s));
}

TEST_F(PlacesLostTest, itsListenersAreHiddenWhileItIsLost) {
  poll(1s, {test::ObservationBuilder().cookie(9).state(TcpState::listen).queues(0, 128).build()});
  EXPECT_THAT(turn(PlaceTurn::lost, 2s)->listeners, IsEmpty());
}

TEST_F(PlacesLostTest, countersContinueAcrossTheGap) {
  poll(1s, {connection(1, 1s).acked(0).build()});
  turn(PlaceTurn::lost, 2s);
  const auto back = poll(11s, {connection(1, 11s).acked(10'000'000).build()});
  const ConnectionRow row = onlyRow(*back);
  EXPECT_FALSE(row.unheard);
  EXPECT_FLOAT_EQ(row.sendRateBps, 8e6F) << "80 Mbit in the ten seconds between two polls";
  EXPECT_FALSE(back->places[0].lostSince);
}

TEST_F(PlacesLostTest, whatTheFirstDumpDoesNotNameIsGone) {
  poll(1s, {connection(1, 1s).build(), connection(2, 1s).build()});
  turn(PlaceTurn::lost, 2s);
  poll(11s, {connection(2, 11s).build()});
  EXPECT_TRUE(m_session.detail({PlaceId{0}, 1})->row.closed);
  EXPECT_FALSE(m_session.detail({PlaceId{0}, 2})->row.closed);
}

TEST_F(PlacesLostTest, aDumpThatMissesSocketsProvesNoEnd) {
  poll(1s, {connection(1, 1s).build()});
  turn(PlaceTurn::lost, 2s);
  ObservationBatch cut = dumpOf({}, 11s);
  cut.gaps.push_back({PlaceId{0}, GapKind::receiveBufferOverflow, 1});
  m_session.accept(cut);
  EXPECT_TRUE(onlyRow(*m_session.tick(moment(11s))).unheard) << "still not known";
  EXPECT_TRUE(onlyRow(*poll(12s, {})).closed);
}

TEST_F(PlacesLostTest, aKernelWhoseEveryDumpMissesSomethingIsBelievedInTheEnd) {
  poll(1s, {connection(1, 1s).build()});
  turn(PlaceTurn::lost, 2s);
  for (const Nanoseconds time : {11s, 12s, 13s}) {
    ObservationBatch cut = dumpOf({}, time);
    cut.gaps.push_back({PlaceId{0}, GapKind::dumpInterrupted, 1});
    m_session.accept(cut);
  }
  EXPECT_TRUE(onlyRow(*m_session.tick(moment(13s))).closed);
}

TEST_F(PlacesLostTest, aRebootedHostHasOtherSocketsUnderTheSameCookies) {
  poll(1s, {connection(1, 1s).acked(9'000'000).build(), connection(2, 1s).build()});
  m_session.accept([] {
    ObservationBatch batch;
    batch.closed.push_back({{PlaceId{0}, 2}, moment(1500ms), {}});
    return batch;
  }());
  turn(PlaceTurn::lost, 2s);
  const auto restarted = turn(PlaceTurn::appeared, 60s, "db1 of after");
  EXPECT_THAT(cookiesInOrder(*restarted), IsEmpty());
  ASSERT_EQ(restarted->places.size(), 1U);
  EXPECT_EQ(restarted->places[0].host, UntrustedText("db1 of after"));
  EXPECT_FALSE(restarted->places[0].lostSince);
  const auto seen = poll(61s, {connection(1, 61s).acked(10).build(), connection(2, 61s).build()});
  EXPECT_THAT(cookiesInOrder(*seen), UnorderedElementsAre(1U, 2U));
  EXPECT_FALSE(m_session.detail({PlaceId{0}, 2})->row.closed) << "not the one that ended before";
}

TEST_F(PlacesLostTest, nothingStaysOfAPlaceThatLeft) {
  poll(1s, {connection(1, 1s).build()});
  ObservationBatch gap;
  gap.gaps.push_back({PlaceId{0}, GapKind::agentEnded, 1});
  m_session.accept(gap);
  const auto left = turn(PlaceTurn::left, 2s);
  EXPECT_THAT(left->places, IsEmpty());
  EXPECT_THAT(cookiesInOrder(*left), IsEmpty());
  EXPECT_THAT(left->gaps, IsEmpty());
  EXPECT_EQ(left->totalRows, 0U);
}

class NamespacesOfALostHost : public PlacesLostTest {
protected:
  static constexpr std::uint64_t kThere = 77;

  static Place place() {
    Place place;
    place.id = placeOfNamespace(PlaceId{0}, 9);
    place.host = UntrustedText("db1");
    place.bootId = "0f0e0d";
    place.networkNamespace = "web";
    return place;
  }
  void appears(const Place& place) {
    ObservationBatch batch;
    batch.place = place.id;
    batch.turn = PlaceTurn::appeared;
    batch.appeared = std::make_shared<const Place>(place);
    m_session.accept(batch);
  }
  void pollThere(Nanoseconds time) {
    SocketObservation socket = connection(kThere, time).build();
    socket.id.place = place().id;
    ObservationBatch batch = dumpOf({socket}, time);
    batch.place = place().id;
    m_session.accept(batch);
  }
  void SetUp() override {
    PlacesLostTest::SetUp();
    appears(place());
    pollThere(1s);
    poll(1s, {});
  }
  [[nodiscard]] std::shared_ptr<const ConnectionDetail> there() const { return m_session.detail({place().id, kThere}); }
};

TEST_F(NamespacesOfALostHost, areLostWithIt) {
  const auto lost = turn(PlaceTurn::lost, 2s);
  ASSERT_EQ(lost->places.size(), 2U);
  EXPECT_TRUE(lost->places[1].lostSince);
  EXPECT_TRUE(onlyRow(*lost).unheard);
}

TEST_F(NamespacesOfALostHost, continueWhereTheyAppearAgainUnderTheSameName) {
  turn(PlaceTurn::lost, 2s);
  appears(place());
  EXPECT_TRUE(onlyRow(*m_session.tick(moment(10s))).unheard) << "not before it is polled";
  pollThere(11s);
  const auto back = poll(11s, {});
  EXPECT_FALSE(onlyRow(*back).unheard);
  EXPECT_FALSE(back->places[1].lostSince);
}

TEST_F(NamespacesOfALostHost, remainWhereTheirFirstDumpIsLate) {
  turn(PlaceTurn::lost, 2s);
  appears(place());
  const auto back = poll(11s, {});
  EXPECT_EQ(back->places.size(), 2U);
  EXPECT_TRUE(back->places[1].lostSince) << "what it has is not known yet";
  EXPECT_NE(there(), nullptr);
}

TEST_F(NamespacesOfALostHost, areNewUnderAnotherName) {
  turn(PlaceTurn::lost, 2s);
  Place other = place();
  other.networkNamespace = "mail";
  appears(other);
  EXPECT_EQ(there(), nullptr) << "its sockets were those of another namespace";
}

TEST_F(NamespacesOfALostHost, areGoneWhereTheHostReturnsWithoutThem) {
  turn(PlaceTurn::lost, 2s);
  const auto back = poll(11s, {});
  EXPECT_EQ(back->places.size(), 1U);
  EXPECT_EQ(there(), nullptr);
}

TEST_F(NamespacesOfALostHost, areNotThoseOfTheOneThatRestarted) {
  turn(PlaceTurn::lost, 2s);
  EXPECT_EQ(turn(PlaceTurn::appeared, 60s, "db1 of after")->places.size(), 1U);
  EXPECT_EQ(there(), nullptr);
}

TEST_F(NamespacesOfALostHost, areHiddenAtOneHostHoweverManyAgentsReportIt) {
  ObservationBatch hidden;
  hidden.gaps.push_back({PlaceId{0}, GapKind::namespacesHidden, 1});
  for (int agent = 0; agent < 3; ++agent) m_session.accept(hidden);
  const auto seen = m_session.tick(moment(2s));
  ASSERT_EQ(seen->gaps.size(), 1U);
  EXPECT_EQ(seen->gaps[0].count, 1U);
}

TEST_F(NamespacesOfALostHost, leaveWithIt) {
  EXPECT_THAT(turn(PlaceTurn::left, 2s)->places, IsEmpty());
  EXPECT_EQ(there(), nullptr);
}

TEST_F(PlacesLostTest, aPlaceMayJoinLater) {
  ObservationBatch batch;
  batch.place = PlaceId{7};
  batch.turn = PlaceTurn::appeared;
  Place place;
  place.id = batch.place;
  place.host = UntrustedText("db2");
  batch.appeared = std::make_shared<const Place>(place);
  m_session.accept(batch);
  const auto snapshot = m_session.tick(moment(1s));
  ASSERT_EQ(snapshot->places.size(), 2U);
  EXPECT_EQ(snapshot->places[1].host, UntrustedText("db2"));
}

}  // namespace
}  // namespace tcpscope
