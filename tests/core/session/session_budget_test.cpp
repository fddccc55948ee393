// What hostile or endless input may make a session keep: every table has its limit, and what it cost is a gap.
#include "core/session/session_budget.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/core/session/session_polls.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;
using test::connection;
using test::dumpOf;
using test::moment;

constexpr std::size_t kLongName = 4096;

Owner ownerCalled(std::int32_t pid, std::size_t nameBytes) {
  return {pid, UntrustedText(std::string(nameBytes, 'x')), std::nullopt, std::nullopt};
}

ObservationBatch ownersOf(std::uint64_t firstCookie, std::int32_t owners, std::size_t nameBytes) {
  ObservationBatch batch;
  for (std::int32_t number = 0; number < owners; ++number) {
    const ConnectionId id{PlaceId{0}, firstCookie + static_cast<std::uint64_t>(number)};
    batch.owners.push_back({id, ownerCalled(number + 1, nameBytes)});
  }
  return batch;
}

/// As a host says that it joined, and that it left.
ObservationBatch turnOf(PlaceId place, PlaceTurn turn) {
  ObservationBatch batch;
  batch.place = place;
  batch.turn = turn;
  if (turn == PlaceTurn::appeared) {
    batch.appeared = std::make_shared<const Place>(Place{place, UntrustedText("db1"), "", "", {}});
  }
  return batch;
}

std::uint64_t countOf(const SessionSnapshot& snapshot, GapKind kind) {
  for (const CollectionGap& gap : snapshot.gaps) {
    if (gap.kind == kind) return gap.count;
  }
  return 0;
}

class SessionBudgetTest : public test::SessionPolls {
protected:
  /// More than the tables of no socket at all take.
  static constexpr std::size_t kNearlyNothing = 64U << 10;
  /// Of the connections that a mebibyte holds.
  static constexpr std::size_t kFewest = 1'000;

  void close(std::uint64_t cookie, Nanoseconds at) {
    ObservationBatch batch;
    batch.closed.push_back({{PlaceId{0}, cookie}, moment(at), std::nullopt});
    m_session.accept(batch);
  }
};

TEST_F(SessionBudgetTest, OwnersOfSocketsThatAreNotKnownAreNotKept) {
  m_session.accept(ownersOf(1, 10'000, kLongName));
  EXPECT_LT(m_session.copyBytes().own, kNearlyNothing);
}

TEST_F(SessionBudgetTest, AnOwnerGoesWithTheLastConnectionThatHasIt) {
  poll(1s, {connection(1, 1s).build()});
  for (std::int32_t pid = 1; pid <= 10'000; ++pid) {
    ObservationBatch batch;
    batch.owners.push_back({{PlaceId{0}, 1}, ownerCalled(pid, 200)});
    m_session.accept(batch);
  }
  EXPECT_LT(m_session.copyBytes().own, kNearlyNothing);
  const auto snapshot = m_session.tick(moment(2s));
  EXPECT_EQ(snapshot->owner(onlyRow(*snapshot))->pid, 10'000);
}

TEST_F(SessionBudgetTest, AnEarlierSnapshotKeepsItsOwners) {
  poll(1s, {connection(1, 1s).build()});
  m_session.accept(ownersOf(1, 1, 5));
  const auto before = m_session.tick(moment(1s));
  SessionControl control;
  control.keepClosed = false;
  m_session.setControl(control);
  close(1, 2s);
  poll(3s, {connection(2, 3s).build()});
  ObservationBatch batch;
  batch.owners.push_back({{PlaceId{0}, 2}, ownerCalled(77, 5)});
  m_session.accept(batch);
  const auto after = m_session.tick(moment(3s));
  EXPECT_EQ(after->owner(onlyRow(*after))->pid, 77);
  EXPECT_EQ(before->owner(onlyRow(*before))->pid, 1);
}

TEST_F(SessionBudgetTest, ALongNameIsCutAndCounted) {
  poll(1s, {connection(1, 1s).build(), connection(2, 1s).state(TcpState::listen).build()});
  m_session.accept(ownersOf(1, 2, kLongName));
  const auto snapshot = m_session.tick(moment(1s));
  EXPECT_EQ(snapshot->owner(onlyRow(*snapshot))->processName.rawBytes().size(), kMostOwnerTextBytes);
  ASSERT_EQ(snapshot->listeners.size(), 1U);
  EXPECT_EQ(snapshot->listeners[0].owner->processName.rawBytes().size(), kMostOwnerTextBytes);
  EXPECT_EQ(countOf(*snapshot, GapKind::textCut), 2U);
}

TEST_F(SessionBudgetTest, ANameIsCutBetweenTwoCharacters) {
  Owner owner;
  // 'ü' has two bytes: the limit falls between them.
  owner.processName = UntrustedText("a" + std::string(kMostOwnerTextBytes - 2, 'b') + "ü");
  EXPECT_TRUE(cutTexts(owner));
  EXPECT_EQ(owner.processName.rawBytes().size(), kMostOwnerTextBytes - 1);
  owner.processName = UntrustedText(std::string(kLongName, '\x80'));
  EXPECT_TRUE(cutTexts(owner));
  EXPECT_EQ(owner.processName.rawBytes().size(), kMostOwnerTextBytes);
  EXPECT_FALSE(cutTexts(owner));
}

TEST_F(SessionBudgetTest, OwnersBeyondTheBudgetAreUnknownAndCounted) {
  m_budget.ownerBytes = 800;  // space for one, not for two
  AnalysisSession session(m_budget);
  session.accept(dumpOf({connection(1, 1s).build(), connection(2, 1s).build(), connection(3, 1s).build()}, 1s));
  session.accept(ownersOf(1, 3, 250));
  const auto snapshot = session.tick(moment(1s));
  EXPECT_NE(snapshot->owner(*snapshot->find({PlaceId{0}, 1})), nullptr);
  EXPECT_EQ(snapshot->owner(*snapshot->find({PlaceId{0}, 3})), nullptr);
  EXPECT_EQ(countOf(*snapshot, GapKind::ownerBudget), 2U);
}

TEST_F(SessionBudgetTest, ListenersBeyondTheBudgetAreCounted) {
  m_budget.listeners = 10;
  AnalysisSession session(m_budget);
  std::vector<SocketObservation> sockets;
  for (std::uint64_t cookie = 1; cookie <= 1000; ++cookie) {
    sockets.push_back(connection(cookie, 1s).state(TcpState::listen).build());
  }
  session.accept(dumpOf(sockets, 1s));
  session.accept(dumpOf({sockets[0]}, 2s));
  const auto snapshot = session.tick(moment(2s));
  EXPECT_EQ(snapshot->listeners.size(), 10U);
  EXPECT_EQ(countOf(*snapshot, GapKind::socketBudget), 990U);
  EXPECT_LT(session.copyBytes().own, kNearlyNothing);
}

TEST_F(SessionBudgetTest, ChangesOfSettingsAreSharedAndTheirTextsCut) {
  m_budget.keepsEveryHistory = true;
  AnalysisSession session(m_budget);
  std::vector<SocketObservation> sockets;
  for (std::uint64_t cookie = 1; cookie <= 20; ++cookie) sockets.push_back(connection(cookie, 1s).build());
  session.accept(dumpOf(sockets, 1s));
  const std::size_t before = session.copyBytes().own;
  for (int change = 0; change < 2000; ++change) {
    ObservationBatch batch;
    batch.changeMarks.push_back({moment(1s + Milliseconds(change)), std::nullopt, UntrustedText("net.ipv4.tcp_rmem"),
                                 UntrustedText(std::string(kLongName, '1')), UntrustedText()});
    session.accept(batch);
  }
  const auto detail = session.detail({PlaceId{0}, 7});
  ASSERT_EQ(detail->changeMarks.size(), kMostChanges);
  EXPECT_EQ(detail->changeMarks.back().before.rawBytes().size(), kMostOwnerTextBytes);
  EXPECT_EQ(countOf(*session.tick(moment(4s)), GapKind::textCut), 2000U);
  EXPECT_LE(session.copyBytes().own - before, 20 * (kMostChanges * sizeof(void*) * 2 + 2000 * sizeof(HistoryEvent)));
}

TEST_F(SessionBudgetTest, ConnectionsBeyondTheirBytesAreCounted) {
  m_budget.connectionBytes = 1U << 20;
  AnalysisSession session(m_budget);
  constexpr std::uint64_t kSockets = 10'000;
  std::vector<SocketObservation> sockets;
  for (std::uint64_t cookie = 1; cookie <= kSockets; ++cookie) sockets.push_back(connection(cookie, 1s).build());
  session.accept(dumpOf(sockets, 1s));
  const auto snapshot = session.tick(moment(1s));
  EXPECT_GT(snapshot->totalRows, kFewest);
  EXPECT_EQ(snapshot->totalRows + countOf(*snapshot, GapKind::socketBudget), kSockets);
  EXPECT_LT(session.copyBytes().own, m_budget.connectionBytes);
}

TEST_F(SessionBudgetTest, AHostThatJoinedTakesNothingOfTheOthers) {
  constexpr PlaceId kOwn{0};
  constexpr PlaceId kJoined{1};
  constexpr std::uint64_t kSockets = 10'000;
  m_budget.joinedConnectionBytes = 1U << 20;
  AnalysisSession session(m_budget);
  session.accept(turnOf(kJoined, PlaceTurn::appeared));
  const auto dump = [&](PlaceId place) {
    std::vector<SocketObservation> sockets;
    for (std::uint64_t cookie = 1; cookie <= kSockets; ++cookie) {
      sockets.push_back(connection(cookie, 1s).build());
      sockets.back().id.place = place;
    }
    ObservationBatch batch = dumpOf(sockets, 1s);
    batch.place = place;
    session.accept(batch);
    return session.tick(moment(1s));
  };
  const auto first = dump(kJoined);
  EXPECT_GT(first->totalRows, kFewest);
  EXPECT_EQ(first->totalRows + countOf(*first, GapKind::socketBudget), kSockets);
  const auto second = dump(kOwn);
  EXPECT_EQ(second->totalRows, first->totalRows + kSockets);

  // What it took is free once it left.
  session.accept(turnOf(kJoined, PlaceTurn::left));
  session.accept(turnOf(kJoined, PlaceTurn::appeared));
  EXPECT_EQ(dump(kJoined)->totalRows, second->totalRows);
}

TEST_F(SessionBudgetTest, SamplesOfAHostThatJoinedDoNotGrowBeyondItsBytes) {
  constexpr PlaceId kJoined{1};
  constexpr std::uint64_t kSockets = 10'000;
  m_budget.joinedConnectionBytes = 1U << 20;
  AnalysisSession session(m_budget);
  session.accept(turnOf(kJoined, PlaceTurn::appeared));
  const auto dumpWith = [&](std::byte each, Milliseconds at) {
    std::vector<SocketObservation> sockets;
    for (std::uint64_t cookie = 1; cookie <= kSockets; ++cookie) {
      sockets.push_back(connection(cookie, at).build());
      sockets.back().id.place = kJoined;
      sockets.back().info = TcpInfoSample(std::vector<std::byte>(tcp_info::kKnownSize, each));
    }
    ObservationBatch batch = dumpOf(sockets, at);
    batch.place = kJoined;
    session.accept(batch);
    return session.tick(moment(at));
  };
  const std::size_t rows = dumpWith(std::byte{0}, 1s)->totalRows;
  EXPECT_GT(rows, kFewest);
  const auto grown = dumpWith(std::byte{0xff}, 2s);
  EXPECT_EQ(grown->totalRows, rows);
  EXPECT_GT(countOf(*grown, GapKind::socketBudget), 2 * (kSockets - rows));
  EXPECT_LT(session.copyBytes().own, m_budget.joinedConnectionBytes);
}

TEST_F(SessionBudgetTest, StatisticsBeyondTheirBytesAreUnknownAndCounted) {
  m_budget.connectionBytes = 1U << 20;
  AnalysisSession session(m_budget);
  constexpr std::uint64_t kSockets = 1'000;
  for (int second = 1; second <= 3; ++second) {
    std::vector<SocketObservation> sockets;
    for (std::uint64_t cookie = 1; cookie <= kSockets; ++cookie) {
      const auto acked = cookie * 1000 * static_cast<std::uint64_t>(second);
      sockets.push_back(connection(cookie, Milliseconds(1000 * second)).acked(acked).build());
    }
    session.accept(dumpOf(sockets, Milliseconds(1000 * second)));
  }
  const auto snapshot = session.tick(moment(3s));
  EXPECT_EQ(snapshot->totalRows, kSockets);
  // Rows lie in the order in which connections came.
  EXPECT_GT(snapshot->row(0).sendRateBps, 0.0F);
  EXPECT_TRUE(std::isnan(snapshot->row(kSockets - 1).sendRateBps));
  EXPECT_GT(countOf(*snapshot, GapKind::recordBudget), 0U);
  EXPECT_LT(session.copyBytes().own, m_budget.connectionBytes);
}

TEST_F(SessionBudgetTest, RecordsOfAllConnectionsShareOneBudget) {
  m_budget.keepsEveryHistory = true;
  m_budget.recordBytes = 1U << 20;
  AnalysisSession session(m_budget);
  for (int second = 1; second <= 40; ++second) {
    std::vector<SocketObservation> sockets;
    for (std::uint64_t cookie = 1; cookie <= 500; ++cookie) {
      sockets.push_back(connection(cookie, Milliseconds(1000 * second))
                            .acked(cookie * 1000 * static_cast<std::uint64_t>(second))
                            .build());
    }
    session.accept(dumpOf(sockets, Milliseconds(1000 * second)));
  }
  constexpr std::size_t kLeanConnection = 2048;
  EXPECT_LT(session.copyBytes().own, m_budget.recordBytes + 500 * kLeanConnection + (256U << 10));
  const auto snapshot = session.tick(moment(41s));
  EXPECT_EQ(snapshot->totalRows, 500U);
  EXPECT_GT(countOf(*snapshot, GapKind::recordBudget), 0U);
}

TEST_F(SessionBudgetTest, ALongHistoryLosesItsOldestSamplesFirst) {
  m_budget.keepsEveryHistory = true;
  m_budget.recordBytes = 256U << 10;
  AnalysisSession session(m_budget);
  constexpr int kSamples = 5000;
  for (int sample = 1; sample <= kSamples; ++sample) {
    const Milliseconds at(100 * sample);
    session.accept(dumpOf({connection(1, at).acked(static_cast<std::uint64_t>(sample * sample)).build()}, at));
  }
  const auto detail = session.detail({PlaceId{0}, 1});
  EXPECT_EQ(detail->history.lastTime(), moment(Milliseconds(100 * kSamples)));
  EXPECT_LT(detail->history.residentBytes(), m_budget.recordBytes + (64U << 10));
  const auto snapshot = session.tick(moment(Milliseconds(100 * kSamples)));
  EXPECT_EQ(countOf(*snapshot, GapKind::recordBudget) + detail->history.sampleCount(),
            static_cast<std::size_t>(kSamples));
}

}  // namespace
}  // namespace tcpscope
