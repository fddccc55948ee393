// How the session shows connections that end, and what it keeps of each.
#include "core/session/connection_tracker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/session/history_events.h"
#include "core/wire/loss/loss_summary.h"
#include "tests/core/session/session_polls.h"

namespace tcpscope {
namespace {

using test::connection;
using test::dumpOf;
using test::moment;
using namespace std::chrono_literals;

class ConnectionTrackerTest : public test::SessionPolls {};

SocketObservation timeWait(std::uint64_t cookie, Nanoseconds time) {
  return connection(cookie, time).state(TcpState::timeWait).reportedBytes(0).build();
}

TEST_F(ConnectionTrackerTest, newConnectionsOverTheAddressesOfAnEndedOneGetRowsOfTheirOwn) {
  ObservationBatch batch = dumpOf({}, 1s);
  batch.closed.push_back({{PlaceId{0}, 1}, moment(1s), connection(1, 1s).build()});
  m_session.accept(batch);
  poll(2s, {timeWait(2, 2s)});
  const auto snapshot = poll(3s, {connection(3, 3s).build()});
  EXPECT_THAT(cookiesInOrder(*snapshot), ::testing::UnorderedElementsAre(1, 3));
}

TEST_F(ConnectionTrackerTest, whatIsLeftOfAConnectionChangesItsStateOnce) {
  SessionControl control;
  control.focus = connection(1, 0s).build().id;
  m_session.setControl(control);
  poll(0s, {connection(1, 0s).build()});
  for (const auto time : {1s, 2s, 3s}) poll(time, {timeWait(1, time)});
  EXPECT_EQ(m_session.detail(*control.focus)->events.size(), 1U);
  EXPECT_EQ(m_session.detail(*control.focus)->row.state, TcpState::timeWait);
}

TEST_F(ConnectionTrackerTest, whatTheProgramWaitedForStaysWhereDumpsDoNotCarryIt) {
  const ConnectionId id = connection(1, 0s).build().id;
  poll(1s, {connection(1, 1s).build()});
  ObservationBatch answers;
  const ProgramWaits waits{moment(1s), moment(6s), 2s};
  answers.programWaits.push_back({id, waits});
  m_session.accept(answers);
  poll(2s, {connection(1, 2s).reportedBytes(1000).build()});
  EXPECT_EQ(m_session.detail(id)->socket.programWaits, waits);
}

TEST_F(ConnectionTrackerTest, whatTheProgramOfAWatchedConnectionWaitedForCountsOverTheLastSeconds) {
  const ConnectionId id = connection(1, 0s).build().id;
  SessionControl control;
  control.focus = id;
  m_session.setControl(control);
  poll(1s, {connection(1, 1s).build()});
  const auto waitsAfter = [&](Nanoseconds from, Nanoseconds until, Nanoseconds waited) {
    ObservationBatch answers;
    answers.programWaits.push_back({id, {moment(from), moment(until), waited}});
    m_session.accept(answers);
    return *m_session.detail(id)->socket.programWaits;
  };
  EXPECT_EQ(waitsAfter(1s, 2s, 500ms).forProcessor, 500ms);
  EXPECT_EQ(waitsAfter(2s, 4s, 1s), (ProgramWaits{moment(1s), moment(4s), 1500ms}));
  EXPECT_EQ(waitsAfter(4s, 7s, 0s), (ProgramWaits{moment(2s), moment(7s), 1s})) << "not what is longer ago";
  EXPECT_EQ(waitsAfter(8s, 9s, 1s), (ProgramWaits{moment(8s), moment(9s), 1s}))
      << "nothing is known of what was between";
}

TEST_F(ConnectionTrackerTest, aTimeWaitOfAnotherPlaceIsNoPartOfAnEndedConnectionHere) {
  ObservationBatch batch = dumpOf({}, 1s);
  batch.closed.push_back({{PlaceId{0}, 1}, moment(1s), connection(1, 1s).build()});
  m_session.accept(batch);
  SocketObservation elsewhere = timeWait(2, 2s);
  elsewhere.id.place = PlaceId{1};
  EXPECT_EQ(poll(2s, {elsewhere})->totalRows, 2U);
}

TEST_F(ConnectionTrackerTest, whereNoEndedConnectionIsKeptATimeWaitIsASocketLikeOthers) {
  SessionControl control;
  control.keepClosed = false;
  m_session.setControl(control);
  ObservationBatch batch = dumpOf({connection(1, 1s).build()}, 1s);
  batch.closed.push_back({{PlaceId{0}, 1}, moment(1s), std::nullopt});
  m_session.accept(batch);
  const auto snapshot = poll(2s, {timeWait(2, 2s)});
  EXPECT_EQ(onlyRow(*snapshot).state, TcpState::timeWait);
}

TEST_F(ConnectionTrackerTest, retransmissionsAreKeptOfTheConnectionInFocus) {
  const SocketObservation first = connection(1, 1s).build();
  SessionControl control;
  control.focus = first.id;
  m_session.setControl(control);
  poll(1s, {first});
  EXPECT_EQ(m_session.detail(first.id)->losses, nullptr) << "no collector reports any";

  ObservationBatch reported;
  reported.reportsRetransmissions = true;
  reported.retransmissions = {{first.local, first.remote, moment(1200ms)},
                              {first.local, {first.remote.address, 9}, moment(1210ms)},
                              {first.remote, first.local, moment(1220ms)},
                              {first.local, first.remote, moment(1300ms)}};
  m_session.accept(reported);
  const auto detail = m_session.detail(first.id);
  ASSERT_NE(detail->losses, nullptr);
  EXPECT_EQ(detail->losses->lostPackets, 2U);
  m_session.setControl({});
  EXPECT_EQ(m_session.detail(first.id)->losses, nullptr) << "the focus is gone";
}

TEST_F(ConnectionTrackerTest, lossesAreReportedOfTheConnectionInFocusInItsOwnNamespace) {
  const SocketObservation first = connection(1, 1s).build();
  SessionControl control;
  control.focus = first.id;
  m_session.setControl(control);
  poll(1s, {first});
  const auto lossAt = [&](Moment at, HistoryEventKind kind, const Endpoint& source, const Endpoint& destination,
                          const LossReport& report) {
    SourceEvent event;
    event.at = at;
    event.kind = kind;
    event.local = source;
    event.remote = destination;
    event.payload = encodeLossReport(report);
    return event;
  };
  const LossReport dropped{17, 1448, 1U, false, DropReason{"NETFILTER_DROP", 12}, {}};
  LossReport elsewhere = dropped;
  elsewhere.isElsewhere = true;
  LossReport explained = dropped;
  explained.match = DropMatch{1448, 5s, 1U};
  ObservationBatch reported;
  reported.reportsRetransmissions = true;
  reported.events = {
      lossAt(moment(1200ms), HistoryEventKind::localDrop, first.local, first.remote, dropped),
      lossAt(moment(1210ms), HistoryEventKind::localDrop, first.local, first.remote, elsewhere),
      lossAt(moment(1250ms), HistoryEventKind::localDrop, first.remote, first.local, dropped),
      lossAt(moment(1300ms), HistoryEventKind::localDrop, first.local, {first.remote.address, 9}, dropped),
      lossAt(moment(1400ms), HistoryEventKind::retransmission, first.local, first.remote, explained),
      lossAt(moment(1500ms), HistoryEventKind::retransmission, first.remote, first.local, explained)};
  m_session.accept(reported);
  const auto detail = m_session.detail(first.id);
  ASSERT_EQ(detail->lossReports.size(), 3U);
  EXPECT_FALSE(detail->lossReports[0].isFromPeer);
  EXPECT_EQ(detail->lossReports[0].report, dropped);
  EXPECT_TRUE(detail->lossReports[1].isFromPeer);
  EXPECT_EQ(detail->lossReports[2].report, explained);
  ASSERT_NE(detail->losses, nullptr);
  EXPECT_EQ(detail->losses->lostPackets, 1U) << "the retransmission";
  EXPECT_EQ(timesByKind(detail->events).at(HistoryEventKind::localDrop), 2U);
  EXPECT_FALSE(timesByKind(detail->events).contains(HistoryEventKind::retransmission)) << "concluded from counters";
}

TEST_F(ConnectionTrackerTest, keepingEveryHistoryKeepsRetransmissionsOfConnectionsWithoutFocus) {
  m_budget.keepsEveryHistory = true;
  AnalysisSession session{m_budget};
  SocketObservation mapped = connection(1, 1s).build();
  mapped.local.address = *IpAddress::parse("::ffff:192.0.2.1");
  mapped.remote.address = *IpAddress::parse("::ffff:198.51.100.2");
  const SocketObservation other = connection(2, 1s).remote("203.0.113.9", 80).build();
  session.accept(dumpOf({mapped, other}, 1s));
  ObservationBatch reported;
  reported.reportsRetransmissions = true;
  reported.retransmissions = {{{*IpAddress::parse("192.0.2.1"), mapped.local.port},
                               {*IpAddress::parse("198.51.100.2"), mapped.remote.port},
                               moment(1200ms)}};
  session.accept(reported);
  EXPECT_EQ(session.detail(mapped.id)->losses->lostPackets, 1U);
  EXPECT_EQ(session.detail(other.id)->losses->lostPackets, 0U);
}

TEST_F(ConnectionTrackerTest, aSocketMayComeToOtherAddressesAndEndAndItsSlotBeUsedAgain) {
  m_budget.keepsEveryHistory = true;
  AnalysisSession session{m_budget};
  session.accept(dumpOf({timeWait(1, 1s)}, 1s));
  session.accept(dumpOf({connection(1, 2s).remote("203.0.113.9", 80).build()}, 2s));
  ObservationBatch left;
  left.turn = PlaceTurn::left;
  session.accept(left);
  ObservationBatch ended = dumpOf({}, 4s);
  ended.closed.push_back({{PlaceId{0}, 2}, moment(4s), connection(2, 4s).build()});
  session.accept(dumpOf({connection(2, 3s).build()}, 3s));
  session.accept(ended);
  EXPECT_EQ(session.tick(moment(5s))->totalRows, 1U);
}

TEST_F(ConnectionTrackerTest, closedConnectionsGoAsSoonAsTheyAreNotRequested) {
  ObservationBatch batch = dumpOf({connection(1, 1s).build()}, 1s);
  batch.closed.push_back({{PlaceId{0}, 1}, moment(1s), std::nullopt});
  m_session.accept(batch);
  EXPECT_EQ(m_session.tick(moment(1s))->totalRows, 1U);
  SessionControl control;
  control.keepClosed = false;
  m_session.setControl(control);
  EXPECT_EQ(m_session.tick(moment(2s))->totalRows, 0U);
}

TEST_F(ConnectionTrackerTest, aCopyGoesItsOwnWay) {
  SessionControl control;
  control.focus = connection(1, 0s).build().id;
  m_session.setControl(control);
  poll(0s, {connection(1, 0s).build()});
  // What was published is shared, what was not is copied.
  const auto before = poll(1s, {connection(1, 1s).acked(1000).chronographs(1s).build()});
  m_session.accept(dumpOf({connection(2, 2s).build()}, 2s));
  const std::unique_ptr<AnalysisSession> copy = m_session.copy();
  EXPECT_GT(m_session.copyBytes().own, 0U);

  const auto stayed = copy->tick(moment(2s));
  poll(3s, {connection(1, 3s).acked(9000).chronographs(3s).build(), connection(3, 3s).build()});
  const auto again = copy->tick(moment(2s));
  EXPECT_EQ(cookiesInOrder(*again), cookiesInOrder(*stayed));
  EXPECT_EQ(again->totalRows, 2U);
  const auto detail = copy->detail(*control.focus);
  EXPECT_EQ(detail->history.sampleCount(), 2U);
  EXPECT_EQ(detail->window.ackedBytes, before->details.at(*control.focus)->window.ackedBytes);

  // Fed the same batches, the copy ends up in the same state as the original.
  copy->accept(dumpOf({connection(1, 3s).acked(9000).chronographs(3s).build(), connection(3, 3s).build()}, 3s));
  const auto first = m_session.tick(moment(4s));
  const auto second = copy->tick(moment(4s));
  EXPECT_EQ(cookiesInOrder(*second), cookiesInOrder(*first));
  for (const std::uint32_t slot : *first->order) {
    EXPECT_EQ(second->row(slot).sentBytes, first->row(slot).sentBytes);
    EXPECT_EQ(second->row(slot).limit, first->row(slot).limit);
  }
}

/// A fast-sampled connection: acknowledged bytes, window and retransmissions change, one sample is older than the one
/// before it.
std::vector<SocketObservation> fastSamples() {
  std::vector<SocketObservation> samples;
  for (std::uint64_t sample = 1; sample <= 400; ++sample) {
    const Milliseconds time(sample == 200 ? 100 : static_cast<std::int64_t>(sample));
    samples.push_back(connection(1, time)
                          .acked(sample / 3 * 10'000)
                          .retransmitted(static_cast<std::uint32_t>(sample / 150))
                          .chronographs(time)
                          .build());
  }
  return samples;
}

/// As a session has it that takes the samples in batches of this many.
std::shared_ptr<const ConnectionDetail> inBatchesOf(std::size_t size, const std::vector<SocketObservation>& samples) {
  AnalysisSession session{SessionBudget()};
  SessionControl control;
  control.focus = samples.front().id;
  session.setControl(control);
  session.accept(dumpOf({connection(1, 0s).acked(0).build()}, 0s));
  std::span<const SocketObservation> left = samples;
  while (!left.empty()) {
    const auto some = left.first(std::min(size, left.size()));
    left = left.subspan(some.size());
    ObservationBatch batch;
    batch.rate = SampleRate::focus;
    batch.changed.assign(some.begin(), some.end());
    session.accept(batch);
  }
  session.tick(samples.back().takenAt);
  return session.detail(*control.focus);
}

/// Of events, then of the ends of its intervals of limits.
std::vector<Moment> timesOf(const ConnectionDetail& detail) {
  std::vector<Moment> times;
  for (const HistoryEvent& event : detail.events) times.push_back(event.time);
  for (const LimitInterval& interval : detail.limits.intervals()) times.push_back(interval.to);
  return times;
}

TEST(FastSamples, giveTheSameInBatchesAsOneByOne) {
  const std::vector<SocketObservation> samples = fastSamples();
  const auto one = inBatchesOf(1, samples);
  for (const std::size_t size : {7U, 50U, 400U}) {
    const auto many = inBatchesOf(size, samples);
    ASSERT_EQ(many->history.sampleCount(), 400U) << "the first of the dump, and all but the one that is older";
    EXPECT_EQ(one->history.sampleCount(), 400U);
    for (const SocketObservation& sample : samples) {
      for (const Metric metric : {Metric::bytesAcked, Metric::sendGoodput, Metric::totalRetrans}) {
        EXPECT_EQ(many->history.valueAt(metric, sample.takenAt), one->history.valueAt(metric, sample.takenAt));
      }
    }
    EXPECT_EQ(timesOf(*many), timesOf(*one));
    EXPECT_EQ(many->events.size(), 2U) << "each retransmission once";
    EXPECT_EQ(many->socket.takenAt, one->socket.takenAt);
    EXPECT_EQ(many->row.sendRateBps, one->row.sendRateBps);
  }
}

TEST(FastSamples, ofSeveralSocketsInOneBatchReachEachItsOwn) {
  AnalysisSession session{SessionBudget()};
  ObservationBatch batch;
  batch.rate = SampleRate::focus;
  batch.changed = {connection(1, 1ms).build(), connection(1, 2ms).build(),
                   connection(2, 1ms).build(), connection(3, 3ms).state(TcpState::listen).build(),
                   connection(3, 4ms).build(), connection(1, 5ms).build()};
  session.accept(batch);
  const auto snapshot = session.tick(moment(6ms));
  EXPECT_EQ(snapshot->order->size(), 3U);
  EXPECT_EQ(snapshot->listeners.size(), 1U);
  EXPECT_EQ(session.detail(batch.changed.front().id)->socket.takenAt, moment(5ms));
}

TEST(FastSamples, beyondTheBudgetAreCounted) {
  SessionBudget budget;
  budget.sockets = 1;
  AnalysisSession session{budget};
  ObservationBatch batch;
  batch.rate = SampleRate::focus;
  batch.changed = {connection(1, 1ms).build(), connection(2, 1ms).build(), connection(2, 2ms).build()};
  session.accept(batch);
  const auto snapshot = session.tick(moment(3ms));
  ASSERT_EQ(snapshot->gaps.size(), 1U);
  EXPECT_EQ(snapshot->gaps[0].kind, GapKind::socketBudget);
  EXPECT_EQ(snapshot->gaps[0].count, 2U);
}

}  // namespace
}  // namespace tcpscope
