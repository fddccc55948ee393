#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/host/sysctl_values.h"
#include "core/loss/loss_summary.h"
#include "tests/core/session/session_looks.h"

namespace tcpscope {
namespace {

using test::connection;
using test::dumpOf;
using test::moment;
using namespace std::chrono_literals;

class AnalysisSessionTest : public test::SessionLooks {};

TEST_F(AnalysisSessionTest, whatIsSetAtAPlaceIsWhatWasToldLast) {
  Place here;
  here.id = PlaceId{1};
  m_session.setPlaces({here}, {});
  EXPECT_TRUE(look(0ms, {})->settings(here.id).empty());
  SysctlValues values;
  values.set("net.ipv4.tcp_sack", "0");
  ObservationBatch batch;
  batch.place = here.id;
  batch.settings = std::make_shared<const SysctlValues>(values);
  m_session.accept(batch);
  const auto told = look(100ms, {});
  EXPECT_EQ(told->settings(here.id).number("net.ipv4.tcp_sack"), 0U);
  EXPECT_TRUE(told->settings(PlaceId{2}).empty()) << "of another place";
}

TEST_F(AnalysisSessionTest, aConnectionSeenOnceHasNoVerdictYet) {
  const auto snapshot = look(1s, {connection(1, 1s).build()});
  EXPECT_EQ(onlyRow(*snapshot).limit, Limit::unknown);
  EXPECT_TRUE(std::isnan(onlyRow(*snapshot).sendRateBps));
}

TEST_F(AnalysisSessionTest, aConnectionFoundUnchangedIsIdle) {
  look(1s, {connection(1, 1s).build()});
  const auto snapshot = look(2s, {});
  EXPECT_EQ(onlyRow(*snapshot).limit, Limit::idle);
  EXPECT_EQ(onlyRow(*snapshot).sendRateBps, 0.0F);
}

TEST_F(AnalysisSessionTest, howOftenAPictureIsMadeChangesNothing) {
  AnalysisSession seldom{m_budget};
  SessionControl control;
  control.focus = connection(1, 0s).build().id;
  for (AnalysisSession* one : {&m_session, &seldom}) one->setControl(control);
  const auto dump = [&](std::chrono::seconds at, std::vector<SocketObservation> changed) {
    seldom.accept(dumpOf(changed, at));
    look(at, std::move(changed));
    for (const Milliseconds later : {300ms, 900ms}) (void)m_session.tick(moment(at + later));
  };
  for (const auto second : {0s, 1s, 2s}) {
    dump(second, {connection(1, second).acked(static_cast<std::uint64_t>(1000 * second.count())).build()});
  }
  for (const auto second : {3s, 4s, 5s, 6s}) dump(second, {});
  SocketObservation burst = connection(1, 7s).acked(1'000'000).build();
  burst.unchangedUntil = moment(6s);
  dump(7s, {burst});
  const auto often = m_session.detail(burst.id)->window;
  const auto once = seldom.detail(burst.id)->window;
  EXPECT_EQ(often.from, once.from);
  EXPECT_EQ(often.to, once.to);
  EXPECT_EQ(often.ackedBytes, once.ackedBytes);
  EXPECT_EQ(often.sending.span(Limit::idle), once.sending.span(Limit::idle));
  EXPECT_EQ(onlyRow(*m_session.tick(moment(8s))).sparkline, onlyRow(*seldom.tick(moment(8s))).sparkline);
}

TEST_F(AnalysisSessionTest, theRateIsTheAckedBytesOverTheTimeBetweenTwoLooks) {
  look(1s, {connection(1, 1s).acked(0).build()});
  const auto snapshot = look(3s, {connection(1, 3s).acked(1'000'000).chronographs(2s).build()});
  EXPECT_FLOAT_EQ(onlyRow(*snapshot).sendRateBps, 4e6F);
}

TEST_F(AnalysisSessionTest, aBurstAfterSilenceIsCountedOverTheTimeThatItTook) {
  look(1s, {connection(1, 1s).acked(0).build()});
  look(9s, {});
  SocketObservation burst = connection(1, 10s).acked(1'000'000).build();
  burst.unchangedUntil = moment(9s);
  const auto snapshot = look(10s, {burst});
  EXPECT_FLOAT_EQ(onlyRow(*snapshot).sendRateBps, 8e6F);
}

TEST_F(AnalysisSessionTest, looksCloserThanTheStepsOfLimitsAreNoSilence) {
  SessionControl control;
  control.pinned.insert({PlaceId{0}, 1});
  m_session.setControl(control);
  std::shared_ptr<const SessionSnapshot> snapshot;
  Nanoseconds previous{0};
  for (int look = 1; look <= 80; ++look) {
    const Nanoseconds now = look * 60ms;
    SocketObservation sending = connection(1, now)
                                    .acked(static_cast<std::uint64_t>(look) * 100'000)
                                    .chronographs(std::chrono::duration_cast<Milliseconds>(now))
                                    .build();
    // A poller says of every change when it looked the last time.
    if (look > 1) sending.unchangedUntil = moment(previous);
    snapshot = this->look(now, {sending});
    previous = now;
  }
  const auto detail = snapshot->details.at({PlaceId{0}, 1});
  EXPECT_LT(detail->window.sending.ratio(Limit::idle), 0.01);
}

TEST_F(AnalysisSessionTest, theRateFallsToZeroAtTheFirstLookThatFindsNothingNew) {
  look(1s, {connection(1, 1s).acked(0).build()});
  look(2s, {connection(1, 2s).acked(1'000'000).build()});
  const auto snapshot = look(3s, {});
  EXPECT_EQ(onlyRow(*snapshot).sendRateBps, 0.0F);
}

TEST_F(AnalysisSessionTest, aBusySenderBehindAClosedWindowIsHeldBackByTheReceiver) {
  for (int second = 1; second <= 6; ++second) {
    const auto held = std::chrono::seconds(second);
    look(std::chrono::seconds(second), {connection(1, std::chrono::seconds(second))
                                            .acked(static_cast<std::uint64_t>(second) * 100'000)
                                            .chronographs(held, held)
                                            .build()});
  }
  const auto snapshot = m_session.tick(moment(6s));
  EXPECT_EQ(onlyRow(*snapshot).limit, Limit::receiver);
  EXPECT_EQ(onlyRow(*snapshot).limits.percent[static_cast<std::size_t>(Limit::receiver)], 100);
}

TEST_F(AnalysisSessionTest, aSampleThatIsNotNewerIsIgnored) {
  look(2s, {connection(1, 2s).acked(500).build()});
  look(3s, {connection(1, 1s).acked(100).build()});
  EXPECT_EQ(m_session.detail({PlaceId{0}, 1})->socket.info.bytesAcked(), Bytes(500));
}

TEST_F(AnalysisSessionTest, aClosedConnectionKeepsItsLastStateAndGoesGrey) {
  look(1s, {connection(1, 1s).acked(0).build()});
  ObservationBatch batch;
  batch.closed.push_back({{PlaceId{0}, 1}, moment(2s), connection(1, 2s).acked(1'000).build()});
  m_session.accept(batch);
  const auto snapshot = m_session.tick(moment(2s));
  EXPECT_TRUE(onlyRow(*snapshot).closed);
  EXPECT_EQ(onlyRow(*snapshot).closedAt, moment(2s));
  EXPECT_EQ(m_session.detail({PlaceId{0}, 1})->socket.info.bytesAcked(), Bytes(1'000));
}

TEST_F(AnalysisSessionTest, aConnectionThatLivedBetweenTwoLooksIsShownByItsLastWord) {
  ObservationBatch batch;
  batch.closed.push_back({{PlaceId{0}, 9}, moment(2s), connection(9, 2s).acked(1'000).build()});
  m_session.accept(batch);
  EXPECT_EQ(cookiesInOrder(*m_session.tick(moment(2s))), (std::vector<std::uint64_t>{9}));
}

TEST_F(AnalysisSessionTest, aSocketThatNeverHadAPeerWasNoConnection) {
  ObservationBatch batch;
  batch.closed.push_back({{PlaceId{0}, 9}, moment(2s), connection(9, 2s).remote("0.0.0.0", 0).build()});
  m_session.accept(batch);
  EXPECT_EQ(m_session.tick(moment(2s))->totalRows, 0U);
}

TEST_F(AnalysisSessionTest, aFollowedConnectionIsKeptInFullAndNotMarked) {
  SessionControl control;
  control.followed.insert({PlaceId{0}, 1});
  m_session.setControl(control);
  look(1s, {connection(1, 1s).acked(0).build()});
  const auto snapshot = look(2s, {connection(1, 2s).acked(1'000).build()});
  ASSERT_TRUE(snapshot->details.contains({PlaceId{0}, 1}));
  EXPECT_TRUE(snapshot->details.at({PlaceId{0}, 1})->history.firstTime());
  EXPECT_FALSE(onlyRow(*snapshot).pinned);
}

TEST_F(AnalysisSessionTest, closedConnectionsBeyondTheBudgetGoOldestFirst) {
  SessionBudget budget;
  budget.closedRows = 2;
  AnalysisSession session(budget);
  for (std::uint64_t cookie = 1; cookie <= 4; ++cookie) {
    ObservationBatch batch;
    batch.changed.push_back(connection(cookie, 1s).build());
    batch.closed.push_back({{PlaceId{0}, cookie}, moment(2s), std::nullopt});
    session.accept(batch);
  }
  const auto snapshot = session.tick(moment(2s));
  EXPECT_THAT(cookiesInOrder(*snapshot), ::testing::UnorderedElementsAre(3, 4));
  EXPECT_EQ(snapshot->totalRows, 2U);
}

TEST_F(AnalysisSessionTest, rowsAreSortedByRateAndUnchangedOnesKeepTheirPlaces) {
  look(1s, {connection(1, 1s).build(), connection(2, 1s).build(), connection(3, 1s).build()});
  auto snapshot = look(2s, {connection(1, 2s).acked(100).build(), connection(2, 2s).acked(300).build(),
                            connection(3, 2s).acked(200).build()});
  EXPECT_EQ(cookiesInOrder(*snapshot), (std::vector<std::uint64_t>{2, 3, 1}));
  snapshot = look(3s, {connection(1, 3s).acked(1'100).build(), connection(2, 3s).acked(600).build(),
                       connection(3, 3s).acked(400).build()});
  EXPECT_EQ(cookiesInOrder(*snapshot), (std::vector<std::uint64_t>{1, 2, 3}));
}

TEST_F(AnalysisSessionTest, aPinnedConnectionComesFirstAndKeepsItsHistory) {
  SessionControl control;
  control.pinned.insert({PlaceId{0}, 3});
  m_session.setControl(control);
  look(1s, {connection(1, 1s).build(), connection(3, 1s).build()});
  const auto snapshot = look(2s, {connection(1, 2s).acked(900).build(), connection(3, 2s).acked(10).build()});
  EXPECT_EQ(cookiesInOrder(*snapshot), (std::vector<std::uint64_t>{3, 1}));
  ASSERT_TRUE(snapshot->details.contains({PlaceId{0}, 3}));
  const ConnectionHistory& history = snapshot->details.at({PlaceId{0}, 3})->history;
  EXPECT_EQ(history.valueAt(Metric::bytesAcked, moment(2s)), 10.0);
  EXPECT_EQ(history.firstTime(), moment(1s)) << "figures are known from the first look on";
  EXPECT_EQ(history.valueAt(Metric::sendGoodput, moment(1s)), std::nullopt) << "rates are not";
}

TEST_F(AnalysisSessionTest, theFilterDecidesWhatIsInTheOrder) {
  SessionControl control;
  control.filter = ConnectionFilter::parse("limit = idle").value();
  m_session.setControl(control);
  look(1s, {connection(1, 1s).build(), connection(2, 1s).build()});
  const auto snapshot = look(2s, {connection(2, 2s).acked(1'000'000).chronographs(1s, 1s).build()});
  EXPECT_EQ(cookiesInOrder(*snapshot), (std::vector<std::uint64_t>{1}));
  EXPECT_EQ(snapshot->totalRows, 2U);
}

TEST_F(AnalysisSessionTest, rowsAreGroupedByProcess) {
  SessionControl control;
  control.grouping = Grouping::process;
  m_session.setControl(control);
  ObservationBatch batch =
      dumpOf({connection(1, 1s).build(), connection(2, 1s).build(), connection(3, 1s).build()}, 1s);
  const auto owner = [](const char* name) { return Owner{7, UntrustedText(name), std::nullopt, std::nullopt}; };
  batch.owners = {
      {{PlaceId{0}, 1}, owner("nginx")}, {{PlaceId{0}, 2}, owner("curl")}, {{PlaceId{0}, 3}, owner("nginx")}};
  m_session.accept(batch);
  const auto snapshot = m_session.tick(moment(1s));
  ASSERT_EQ(snapshot->groups->size(), 2U);
  EXPECT_EQ((*snapshot->groups)[0].label, UntrustedText("curl"));
  EXPECT_EQ((*snapshot->groups)[1].label, UntrustedText("nginx"));
  EXPECT_EQ((*snapshot->groups)[1].first, 1U);
  EXPECT_EQ((*snapshot->groups)[1].size, 2U);
}

TEST_F(AnalysisSessionTest, aSnapshotDoesNotChangeWhenTheSessionGoesOn) {
  look(1s, {connection(1, 1s).acked(0).build()});
  const auto before = look(2s, {connection(1, 2s).acked(1'000).build()});
  const float rateBefore = onlyRow(*before).sendRateBps;
  look(3s, {connection(1, 3s).acked(9'000).build()});
  EXPECT_EQ(onlyRow(*before).sendRateBps, rateBefore);
}

TEST_F(AnalysisSessionTest, pagesInWhichNothingChangedAreShared) {
  std::vector<SocketObservation> sockets;
  for (std::uint64_t cookie = 1; cookie <= 4 * kRowsPerPage; ++cookie)
    sockets.push_back(connection(cookie, 1s).build());
  look(1s, sockets);
  const auto first = look(2s, {});
  const auto second = look(3s, {connection(1, 3s).acked(1).build()});
  std::size_t copied = 0;
  for (std::size_t page = 0; page < first->figures.size(); ++page) {
    copied += first->figures[page] != second->figures[page];
  }
  EXPECT_EQ(copied, 1U);
  EXPECT_EQ(first->facts, second->facts);
}

TEST_F(AnalysisSessionTest, aListenerIsNoConnection) {
  const auto snapshot = look(1s, {connection(5, 1s).state(TcpState::listen).queues(3, 128).build()});
  EXPECT_TRUE(snapshot->order->empty());
  ASSERT_EQ(snapshot->listeners.size(), 1U);
  EXPECT_EQ(snapshot->listeners[0].acceptQueue, 3U);
  EXPECT_EQ(snapshot->listeners[0].backlog, 128U);
}

TEST_F(AnalysisSessionTest, socketsBeyondTheBudgetAreCountedAsAGap) {
  SessionBudget budget;
  budget.sockets = 1;
  AnalysisSession session(budget);
  session.accept(dumpOf({connection(1, 1s).build(), connection(2, 1s).build()}, 1s));
  const auto snapshot = session.tick(moment(1s));
  ASSERT_EQ(snapshot->gaps.size(), 1U);
  EXPECT_EQ(snapshot->gaps[0].kind, GapKind::socketBudget);
  EXPECT_EQ(snapshot->gaps[0].count, 1U);
}

TEST_F(AnalysisSessionTest, aFastSampledConnectionIsNotTakenForSilentBetweenTwoSteps) {
  SessionControl control;
  control.focus = ConnectionId{PlaceId{0}, 1};
  m_session.setControl(control);
  look(0s, {connection(1, 0s).acked(0).build()});
  std::shared_ptr<const SessionSnapshot> snapshot;
  for (int sample = 1; sample <= 30; ++sample) {
    const Milliseconds time{sample * 10};
    ObservationBatch batch;
    batch.rate = SampleRate::focus;
    batch.changed = {connection(1, time).acked(static_cast<std::uint64_t>(sample) * 10'000).chronographs(time).build()};
    m_session.accept(batch);
    snapshot = m_session.tick(moment(time));
  }
  EXPECT_FLOAT_EQ(onlyRow(*snapshot).sendRateBps, 8e6F);
  EXPECT_EQ(onlyRow(*snapshot).limits.percent[static_cast<std::size_t>(Limit::idle)], 0);
}

TEST_F(AnalysisSessionTest, aPinnedConnectionThatWasSeenUnchangedHasALevelRecordAndNoGap) {
  SessionControl control;
  control.pinned = {ConnectionId{PlaceId{0}, 1}};
  m_session.setControl(control);
  for (Milliseconds time = 1s; time <= 5s; time += Milliseconds(1000)) {
    look(time, {connection(1, time).acked(1000 * static_cast<std::uint64_t>(time.count())).build()});
  }
  SocketObservation awake = connection(1, 60s).acked(9'000'000).build();
  awake.unchangedUntil = moment(59s);
  const auto snapshot = look(60s, {awake});
  const ConnectionDetail& detail = *snapshot->details.at(awake.id);
  EXPECT_EQ(detail.history.valueAt(Metric::bytesAcked, moment(59s)), 5'000'000.0);
  EXPECT_EQ(detail.history.valueAt(Metric::sendGoodput, moment(59s)), 0.0);
  EXPECT_EQ(detail.history.lastTime(), moment(60s));
  EXPECT_TRUE(detail.events.empty());
}

TEST_F(AnalysisSessionTest, aConnectionThatIsWatchedShowsItsMeanRateAndNotThatOfItsLastStep) {
  SessionControl control;
  control.focus = ConnectionId{PlaceId{0}, 1};
  m_session.setControl(control);
  look(0s, {connection(1, 0s).acked(0).build()});
  look(1s, {connection(1, 1s).acked(1'000'000).chronographs(1s).build()});
  const auto snapshot = look(2s, {connection(1, 2s).acked(1'500'000).chronographs(2s).build()});
  EXPECT_FLOAT_EQ(onlyRow(*snapshot).sendRateBps, 6e6F) << "the last step went at 4e6";
}

TEST_F(AnalysisSessionTest, aWatchedConnectionWhoseCountersAreNotReportedHasNoMeanRate) {
  SessionControl control;
  control.focus = ConnectionId{PlaceId{0}, 1};
  m_session.setControl(control);
  const auto old = [](Nanoseconds time) { return connection(1, time).reportedBytes(104).build(); };
  look(0s, {old(0s)});
  const auto snapshot = look(1s, {old(1s)});
  EXPECT_TRUE(std::isnan(onlyRow(*snapshot).sendRateBps));
  EXPECT_TRUE(std::isnan(onlyRow(*snapshot).receiveRateBps));
}

TEST_F(AnalysisSessionTest, ofAConnectionThatLivedBetweenTwoLooksNothingIsClaimed) {
  ObservationBatch batch = dumpOf({}, 2s);
  batch.closed.push_back({{PlaceId{0}, 9}, moment(2s), connection(9, 2s).acked(1'000'000'000).build()});
  m_session.accept(batch);
  const auto snapshot = look(3s, {});
  EXPECT_EQ(onlyRow(*snapshot).limit, Limit::unknown) << "it was not idle: it was not seen";
  EXPECT_EQ(onlyRow(*snapshot).confidenceRatio, 0.0F);
  EXPECT_TRUE(std::isnan(onlyRow(*snapshot).sendRateBps));
}

TEST_F(AnalysisSessionTest, aConnectionThatWasIdleIsStillSaidToHaveBeenSoWhenItEnds) {
  look(1s, {connection(1, 1s).build()});
  look(2s, {});
  ObservationBatch batch = dumpOf({}, 3s);
  batch.closed.push_back({{PlaceId{0}, 1}, moment(3s), std::nullopt});
  m_session.accept(batch);
  EXPECT_EQ(onlyRow(*m_session.tick(moment(3s))).limit, Limit::idle);
}

TEST_F(AnalysisSessionTest, aDetailIsThereBeforeTheFirstPicture) {
  m_session.accept(dumpOf({connection(1, 1s).build()}, 1s));
  const auto detail = m_session.detail({PlaceId{0}, 1});
  ASSERT_NE(detail, nullptr);
  EXPECT_EQ(detail->row.id.cookie, 1U);
}

SocketObservation timeWait(std::uint64_t cookie, Nanoseconds time) {
  return connection(cookie, time).state(TcpState::timeWait).reportedBytes(0).build();
}

TEST_F(AnalysisSessionTest, newConnectionsOverTheAddressesOfAnEndedOneGetRowsOfTheirOwn) {
  ObservationBatch batch = dumpOf({}, 1s);
  batch.closed.push_back({{PlaceId{0}, 1}, moment(1s), connection(1, 1s).build()});
  m_session.accept(batch);
  look(2s, {timeWait(2, 2s)});
  const auto snapshot = look(3s, {connection(3, 3s).build()});
  EXPECT_THAT(cookiesInOrder(*snapshot), ::testing::UnorderedElementsAre(1, 3));
}

TEST_F(AnalysisSessionTest, whatIsLeftOfAConnectionChangesItsStateOnce) {
  SessionControl control;
  control.focus = connection(1, 0s).build().id;
  m_session.setControl(control);
  look(0s, {connection(1, 0s).build()});
  for (const auto time : {1s, 2s, 3s}) look(time, {timeWait(1, time)});
  EXPECT_EQ(m_session.detail(*control.focus)->events.size(), 1U);
  EXPECT_EQ(m_session.detail(*control.focus)->row.state, TcpState::timeWait);
}

TEST_F(AnalysisSessionTest, aTimeWaitOfAnotherPlaceIsNoPartOfAnEndedConnectionHere) {
  ObservationBatch batch = dumpOf({}, 1s);
  batch.closed.push_back({{PlaceId{0}, 1}, moment(1s), connection(1, 1s).build()});
  m_session.accept(batch);
  SocketObservation elsewhere = timeWait(2, 2s);
  elsewhere.id.place = PlaceId{1};
  EXPECT_EQ(look(2s, {elsewhere})->totalRows, 2U);
}

TEST_F(AnalysisSessionTest, whereNoEndedConnectionIsKeptATimeWaitIsASocketLikeOthers) {
  SessionControl control;
  control.keepClosed = false;
  m_session.setControl(control);
  ObservationBatch batch = dumpOf({connection(1, 1s).build()}, 1s);
  batch.closed.push_back({{PlaceId{0}, 1}, moment(1s), std::nullopt});
  m_session.accept(batch);
  const auto snapshot = look(2s, {timeWait(2, 2s)});
  EXPECT_EQ(onlyRow(*snapshot).state, TcpState::timeWait);
}

TEST_F(AnalysisSessionTest, retransmissionsAreKeptOfTheConnectionThatSomebodyLooksAt) {
  const SocketObservation first = connection(1, 1s).build();
  SessionControl control;
  control.focus = first.id;
  m_session.setControl(control);
  look(1s, {first});
  EXPECT_EQ(m_session.detail(first.id)->losses, nullptr) << "nobody tells of any";

  ObservationBatch told;
  told.tellsRetransmissions = true;
  told.retransmissions = {{first.local, first.remote, moment(1200ms)},
                          {first.local, {first.remote.address, 9}, moment(1210ms)},
                          {first.remote, first.local, moment(1220ms)},
                          {first.local, first.remote, moment(1300ms)}};
  m_session.accept(told);
  const auto detail = m_session.detail(first.id);
  ASSERT_NE(detail->losses, nullptr);
  EXPECT_EQ(detail->losses->lostPackets, 2U);
  m_session.setControl({});
  EXPECT_EQ(m_session.detail(first.id)->losses, nullptr) << "nobody looks any more";
}

TEST_F(AnalysisSessionTest, whereEveryHistoryIsKeptRetransmissionsAreKeptOfConnectionsThatNobodyLooksAtYet) {
  m_budget.keepsEveryHistory = true;
  AnalysisSession session{m_budget};
  SocketObservation mapped = connection(1, 1s).build();
  mapped.local.address = *IpAddress::parse("::ffff:192.0.2.1");
  mapped.remote.address = *IpAddress::parse("::ffff:198.51.100.2");
  const SocketObservation other = connection(2, 1s).remote("203.0.113.9", 80).build();
  session.accept(dumpOf({mapped, other}, 1s));
  ObservationBatch told;
  told.tellsRetransmissions = true;
  told.retransmissions = {{{*IpAddress::parse("192.0.2.1"), mapped.local.port},
                           {*IpAddress::parse("198.51.100.2"), mapped.remote.port},
                           moment(1200ms)}};
  session.accept(told);
  EXPECT_EQ(session.detail(mapped.id)->losses->lostPackets, 1U);
  EXPECT_EQ(session.detail(other.id)->losses->lostPackets, 0U);
}

TEST_F(AnalysisSessionTest, aSocketMayComeToOtherAddressesAndEndAndItsSlotBeUsedAgain) {
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

TEST_F(AnalysisSessionTest, endedConnectionsGoAsSoonAsNobodyWantsThem) {
  ObservationBatch batch = dumpOf({connection(1, 1s).build()}, 1s);
  batch.closed.push_back({{PlaceId{0}, 1}, moment(1s), std::nullopt});
  m_session.accept(batch);
  EXPECT_EQ(m_session.tick(moment(1s))->totalRows, 1U);
  SessionControl control;
  control.keepClosed = false;
  m_session.setControl(control);
  EXPECT_EQ(m_session.tick(moment(2s))->totalRows, 0U);
}

TEST_F(AnalysisSessionTest, aCopyGoesItsOwnWay) {
  SessionControl control;
  control.focus = connection(1, 0s).build().id;
  m_session.setControl(control);
  look(0s, {connection(1, 0s).build()});
  // What was published is shared, what was not is copied.
  const auto before = look(1s, {connection(1, 1s).acked(1000).chronographs(1s).build()});
  m_session.accept(dumpOf({connection(2, 2s).build()}, 2s));
  const std::unique_ptr<AnalysisSession> copy = m_session.copy();
  EXPECT_GT(m_session.copyBytes().own, 0U);

  const auto stayed = copy->tick(moment(2s));
  look(3s, {connection(1, 3s).acked(9000).chronographs(3s).build(), connection(3, 3s).build()});
  const auto again = copy->tick(moment(2s));
  EXPECT_EQ(cookiesInOrder(*again), cookiesInOrder(*stayed));
  EXPECT_EQ(again->totalRows, 2U);
  const auto detail = copy->detail(*control.focus);
  EXPECT_EQ(detail->history.sampleCount(), 2U);
  EXPECT_EQ(detail->window.ackedBytes, before->details.at(*control.focus)->window.ackedBytes);

  // What comes to the copy makes of it what became of the first.
  copy->accept(dumpOf({connection(1, 3s).acked(9000).chronographs(3s).build(), connection(3, 3s).build()}, 3s));
  const auto first = m_session.tick(moment(4s));
  const auto second = copy->tick(moment(4s));
  EXPECT_EQ(cookiesInOrder(*second), cookiesInOrder(*first));
  for (const std::uint32_t slot : *first->order) {
    EXPECT_EQ(second->row(slot).sentBytes, first->row(slot).sentBytes);
    EXPECT_EQ(second->row(slot).limit, first->row(slot).limit);
  }
}

}  // namespace
}  // namespace tcpscope
