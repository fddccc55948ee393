#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <array>

#include <cmath>

#include "core/host/sysctl_values.h"
#include "tests/core/session/session_polls.h"

namespace tcpscope {
namespace {

using test::connection;
using test::dumpOf;
using test::moment;
using namespace std::chrono_literals;

class AnalysisSessionTest : public test::SessionPolls {};

TEST_F(AnalysisSessionTest, theSettingsOfAPlaceAreTheLatestReported) {
  Place here;
  here.id = PlaceId{1};
  m_session.setPlaces({here}, {});
  EXPECT_TRUE(poll(0ms, {})->settings(here.id).empty());
  SysctlValues values;
  values.set("net.ipv4.tcp_sack", "0");
  ObservationBatch batch;
  batch.place = here.id;
  batch.settings = std::make_shared<const SysctlValues>(values);
  m_session.accept(batch);
  const auto reported = poll(100ms, {});
  EXPECT_EQ(reported->settings(here.id).number("net.ipv4.tcp_sack"), 0U);
  EXPECT_TRUE(reported->settings(PlaceId{2}).empty()) << "of another place";
}

TEST_F(AnalysisSessionTest, aConnectionSeenOnceHasNoVerdictYet) {
  const auto snapshot = poll(1s, {connection(1, 1s).build()});
  EXPECT_EQ(onlyRow(*snapshot).limit, Limit::unknown);
  EXPECT_TRUE(std::isnan(onlyRow(*snapshot).sendRateBps));
}

TEST_F(AnalysisSessionTest, aConnectionFoundUnchangedIsIdle) {
  poll(1s, {connection(1, 1s).build()});
  const auto snapshot = poll(2s, {});
  EXPECT_EQ(onlyRow(*snapshot).limit, Limit::idle);
  EXPECT_EQ(onlyRow(*snapshot).sendRateBps, 0.0F);
}

TEST_F(AnalysisSessionTest, aConnectionThatSendsAfterSilenceFallsSilentAgain) {
  poll(0s, {connection(1, 0s).acked(0).build()});
  const auto send = [this](Nanoseconds time, std::uint64_t acked) {
    SocketObservation sending = connection(1, time).acked(acked).build();
    sending.unchangedUntil = moment(time - 200ms);
    return onlyRow(*poll(time, {sending})).sendRateBps;
  };
  const auto rateOfSilence = [this](Nanoseconds time) { return onlyRow(*poll(time, {})).sendRateBps; };
  // Twice within half of the window.
  EXPECT_GT(send(400ms, 1'000), 0.0F);
  EXPECT_EQ(rateOfSilence(600ms), 0.0F);
  EXPECT_GT(send(1s, 2'000), 0.0F);
  EXPECT_EQ(rateOfSilence(1200ms), 0.0F);
  for (const auto second : {2s, 3s, 4s, 5s, 6s, 7s, 8s, 9s, 10s, 11s}) poll(second, {});
  EXPECT_FALSE(m_session.detail({PlaceId{0}, 1})->window.ackedBytes.value_or(0) > 0U);
  EXPECT_EQ(onlyRow(*poll(12s, {})).limit, Limit::idle);
  EXPECT_GT(send(13s, 3'000), 0.0F);
  EXPECT_EQ(rateOfSilence(14s), 0.0F);
}

TEST_F(AnalysisSessionTest, howOftenAPictureIsMadeChangesNothing) {
  AnalysisSession seldom{m_budget};
  SessionControl control;
  control.focus = connection(1, 0s).build().id;
  for (AnalysisSession* one : {&m_session, &seldom}) one->setControl(control);
  const auto dump = [&](std::chrono::seconds at, std::vector<SocketObservation> changed) {
    seldom.accept(dumpOf(changed, at));
    poll(at, std::move(changed));
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

TEST_F(AnalysisSessionTest, theRateIsTheAckedBytesOverTheTimeBetweenTwoPolls) {
  poll(1s, {connection(1, 1s).acked(0).build()});
  const auto snapshot = poll(3s, {connection(1, 3s).acked(1'000'000).chronographs(2s).build()});
  EXPECT_FLOAT_EQ(onlyRow(*snapshot).sendRateBps, 4e6F);
}

TEST_F(AnalysisSessionTest, aBurstAfterSilenceIsCountedOverTheTimeThatItTook) {
  poll(1s, {connection(1, 1s).acked(0).build()});
  poll(9s, {});
  SocketObservation burst = connection(1, 10s).acked(1'000'000).build();
  burst.unchangedUntil = moment(9s);
  const auto snapshot = poll(10s, {burst});
  EXPECT_FLOAT_EQ(onlyRow(*snapshot).sendRateBps, 8e6F);
}

TEST_F(AnalysisSessionTest, growthDuringMissedPollsIsCountedOverTheWholeTime) {
  poll(1s, {connection(1, 1s).acked(0).build()});
  ObservationBatch damage;
  damage.gaps.push_back({PlaceId{0}, GapKind::damagedFrame, 1});
  m_session.accept(damage);
  // The last missed poll was at eight seconds: its result is unknown.
  SocketObservation first = connection(1, 9s).acked(1'000'000).build();
  first.unchangedUntil = moment(8s);
  EXPECT_FLOAT_EQ(onlyRow(*poll(9s, {first})).sendRateBps, 1e6F);
  SocketObservation second = connection(1, 12s).acked(2'000'000).build();
  second.unchangedUntil = moment(11s);
  EXPECT_FLOAT_EQ(onlyRow(*poll(12s, {second})).sendRateBps, 8e6F) << "no poll was missed since";
}

TEST_F(AnalysisSessionTest, pollsCloserThanTheStepsOfLimitsAreNoSilence) {
  SessionControl control;
  control.pinned.insert({PlaceId{0}, 1});
  m_session.setControl(control);
  std::shared_ptr<const SessionSnapshot> snapshot;
  Nanoseconds previous{0};
  for (int poll = 1; poll <= 80; ++poll) {
    const Nanoseconds now = poll * 60ms;
    SocketObservation sending = connection(1, now)
                                    .acked(static_cast<std::uint64_t>(poll) * 100'000)
                                    .chronographs(std::chrono::duration_cast<Milliseconds>(now))
                                    .build();
    // A poller reports with every change when it polled last.
    if (poll > 1) sending.unchangedUntil = moment(previous);
    snapshot = this->poll(now, {sending});
    previous = now;
  }
  const auto detail = snapshot->details.at({PlaceId{0}, 1});
  EXPECT_LT(detail->window.sending.ratio(Limit::idle), 0.01);
}

TEST_F(AnalysisSessionTest, theRateFallsToZeroAtTheFirstPollWithoutChanges) {
  poll(1s, {connection(1, 1s).acked(0).build()});
  poll(2s, {connection(1, 2s).acked(1'000'000).build()});
  const auto snapshot = poll(3s, {});
  EXPECT_EQ(onlyRow(*snapshot).sendRateBps, 0.0F);
}

TEST_F(AnalysisSessionTest, aBusySenderBehindAClosedWindowIsReceiverLimited) {
  for (int second = 1; second <= 6; ++second) {
    const auto held = std::chrono::seconds(second);
    poll(std::chrono::seconds(second), {connection(1, std::chrono::seconds(second))
                                            .acked(static_cast<std::uint64_t>(second) * 100'000)
                                            .chronographs(held, held)
                                            .build()});
  }
  const auto snapshot = m_session.tick(moment(6s));
  EXPECT_EQ(onlyRow(*snapshot).limit, Limit::receiver);
  EXPECT_EQ(onlyRow(*snapshot).limits.percent[static_cast<std::size_t>(Limit::receiver)], 100);
}

TEST_F(AnalysisSessionTest, aSampleThatIsNotNewerIsIgnored) {
  poll(2s, {connection(1, 2s).acked(500).build()});
  poll(3s, {connection(1, 1s).acked(100).build()});
  EXPECT_EQ(m_session.detail({PlaceId{0}, 1})->socket.info.bytesAcked(), Bytes(500));
}

TEST_F(AnalysisSessionTest, aClosedConnectionKeepsItsLastStateAndGoesGrey) {
  poll(1s, {connection(1, 1s).acked(0).build()});
  ObservationBatch batch;
  batch.closed.push_back({{PlaceId{0}, 1}, moment(2s), connection(1, 2s).acked(1'000).build()});
  m_session.accept(batch);
  const auto snapshot = m_session.tick(moment(2s));
  EXPECT_TRUE(onlyRow(*snapshot).closed);
  EXPECT_EQ(onlyRow(*snapshot).closedAt, moment(2s));
  EXPECT_EQ(m_session.detail({PlaceId{0}, 1})->socket.info.bytesAcked(), Bytes(1'000));
}

TEST_F(AnalysisSessionTest, aConnectionThatLivedBetweenTwoPollsIsShownByItsFinalSample) {
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
  poll(1s, {connection(1, 1s).acked(0).build()});
  const auto snapshot = poll(2s, {connection(1, 2s).acked(1'000).build()});
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
  poll(1s, {connection(1, 1s).build(), connection(2, 1s).build(), connection(3, 1s).build()});
  auto snapshot = poll(2s, {connection(1, 2s).acked(100).build(), connection(2, 2s).acked(300).build(),
                            connection(3, 2s).acked(200).build()});
  EXPECT_EQ(cookiesInOrder(*snapshot), (std::vector<std::uint64_t>{2, 3, 1}));
  snapshot = poll(3s, {connection(1, 3s).acked(1'100).build(), connection(2, 3s).acked(600).build(),
                       connection(3, 3s).acked(400).build()});
  EXPECT_EQ(cookiesInOrder(*snapshot), (std::vector<std::uint64_t>{1, 2, 3}));
}

/// Two that send at 1,000 and 2,000 bytes a second, then the other way round.
class RowPlacesTest : public test::SessionPolls {
protected:
  void sendForASecond(int until, std::uint64_t first, std::uint64_t second) {
    m_acked[0] += first;
    m_acked[1] += second;
    m_snapshot =
        poll(std::chrono::seconds(until), {connection(1, std::chrono::seconds(until)).acked(m_acked[0]).build(),
                                           connection(2, std::chrono::seconds(until)).acked(m_acked[1]).build()});
  }
  void control(const SessionControl& control) { m_session.setControl(control); }

  std::array<std::uint64_t, 2> m_acked{};
  std::shared_ptr<const SessionSnapshot> m_snapshot;
};

TEST_F(RowPlacesTest, areKeptForTheOrderInterval) {
  SessionControl held;
  held.orderInterval = std::chrono::seconds(3);
  control(held);
  for (int second = 1; second <= 9; ++second) sendForASecond(second, 1000, 2000);
  const auto before = cookiesInOrder(*m_snapshot);
  EXPECT_EQ(before, (std::vector<std::uint64_t>{2, 1}));
  sendForASecond(10, 9000, 2000);
  EXPECT_EQ(cookiesInOrder(*m_snapshot), before);
  for (int second = 11; second <= 12; ++second) sendForASecond(second, 9000, 2000);
  EXPECT_EQ(cookiesInOrder(*m_snapshot), (std::vector<std::uint64_t>{1, 2}));
  sendForASecond(13, 1000, 9000);
  EXPECT_EQ(cookiesInOrder(*m_snapshot), (std::vector<std::uint64_t>{1, 2})) << "the interval begins again";
}

TEST_F(RowPlacesTest, areGivenAtEverySnapshotOfTheStart) {
  SessionControl held;
  held.orderInterval = std::chrono::seconds(60);
  control(held);
  sendForASecond(1, 1000, 2000);
  sendForASecond(2, 1000, 2000);
  sendForASecond(3, 9000, 2000);
  EXPECT_EQ(cookiesInOrder(*m_snapshot), (std::vector<std::uint64_t>{1, 2}));
}

TEST_F(RowPlacesTest, areKeptWhileTheUserPointsAtThem) {
  sendForASecond(1, 1000, 2000);
  sendForASecond(2, 1000, 2000);
  SessionControl held;
  held.keepsOrder = true;
  control(held);
  for (int second = 3; second < 30; ++second) sendForASecond(second, 9000, 2000);
  EXPECT_EQ(cookiesInOrder(*m_snapshot), (std::vector<std::uint64_t>{2, 1}));
  control({});
  sendForASecond(30, 9000, 2000);
  EXPECT_EQ(cookiesInOrder(*m_snapshot), (std::vector<std::uint64_t>{1, 2}));
}

TEST_F(AnalysisSessionTest, aPinnedConnectionComesFirstAndKeepsItsHistory) {
  SessionControl control;
  control.pinned.insert({PlaceId{0}, 3});
  m_session.setControl(control);
  poll(1s, {connection(1, 1s).build(), connection(3, 1s).build()});
  const auto snapshot = poll(2s, {connection(1, 2s).acked(900).build(), connection(3, 2s).acked(10).build()});
  EXPECT_EQ(cookiesInOrder(*snapshot), (std::vector<std::uint64_t>{3, 1}));
  ASSERT_TRUE(snapshot->details.contains({PlaceId{0}, 3}));
  const ConnectionHistory& history = snapshot->details.at({PlaceId{0}, 3})->history;
  EXPECT_EQ(history.valueAt(Metric::bytesAcked, moment(2s)), 10.0);
  EXPECT_EQ(history.firstTime(), moment(1s)) << "figures are known from the first sample on";
  EXPECT_EQ(history.valueAt(Metric::sendGoodput, moment(1s)), std::nullopt) << "rates are not";
}

TEST_F(AnalysisSessionTest, theFilterDecidesWhatIsInTheOrder) {
  SessionControl control;
  control.filter = ConnectionFilter::parse("limit = idle").value();
  m_session.setControl(control);
  poll(1s, {connection(1, 1s).build(), connection(2, 1s).build()});
  const auto snapshot = poll(2s, {connection(2, 2s).acked(1'000'000).chronographs(1s, 1s).build()});
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
  poll(1s, {connection(1, 1s).acked(0).build()});
  const auto before = poll(2s, {connection(1, 2s).acked(1'000).build()});
  const float rateBefore = onlyRow(*before).sendRateBps;
  poll(3s, {connection(1, 3s).acked(9'000).build()});
  EXPECT_EQ(onlyRow(*before).sendRateBps, rateBefore);
}

TEST_F(AnalysisSessionTest, pagesInWhichNothingChangedAreShared) {
  std::vector<SocketObservation> sockets;
  for (std::uint64_t cookie = 1; cookie <= 4 * kRowsPerPage; ++cookie)
    sockets.push_back(connection(cookie, 1s).build());
  poll(1s, sockets);
  const auto first = poll(2s, {});
  const auto second = poll(3s, {connection(1, 3s).acked(1).build()});
  std::size_t copied = 0;
  for (std::size_t page = 0; page < first->figures.size(); ++page) {
    copied += first->figures[page] != second->figures[page];
  }
  EXPECT_EQ(copied, 1U);
  EXPECT_EQ(first->facts, second->facts);
}

TEST_F(AnalysisSessionTest, aListenerIsNoConnection) {
  const auto snapshot = poll(1s, {connection(5, 1s).state(TcpState::listen).queues(3, 128).build()});
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
  poll(0s, {connection(1, 0s).acked(0).build()});
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
    poll(time, {connection(1, time).acked(1000 * static_cast<std::uint64_t>(time.count())).build()});
  }
  SocketObservation awake = connection(1, 60s).acked(9'000'000).build();
  awake.unchangedUntil = moment(59s);
  const auto snapshot = poll(60s, {awake});
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
  poll(0s, {connection(1, 0s).acked(0).build()});
  poll(1s, {connection(1, 1s).acked(1'000'000).chronographs(1s).build()});
  const auto snapshot = poll(2s, {connection(1, 2s).acked(1'500'000).chronographs(2s).build()});
  EXPECT_FLOAT_EQ(onlyRow(*snapshot).sendRateBps, 6e6F) << "the last step went at 4e6";
}

TEST_F(AnalysisSessionTest, aWatchedConnectionWhoseCountersAreNotReportedHasNoMeanRate) {
  SessionControl control;
  control.focus = ConnectionId{PlaceId{0}, 1};
  m_session.setControl(control);
  const auto old = [](Nanoseconds time) { return connection(1, time).reportedBytes(104).build(); };
  poll(0s, {old(0s)});
  const auto snapshot = poll(1s, {old(1s)});
  EXPECT_TRUE(std::isnan(onlyRow(*snapshot).sendRateBps));
  EXPECT_TRUE(std::isnan(onlyRow(*snapshot).receiveRateBps));
}

TEST_F(AnalysisSessionTest, nothingIsClaimedAboutAConnectionThatLivedBetweenTwoPolls) {
  ObservationBatch batch = dumpOf({}, 2s);
  batch.closed.push_back({{PlaceId{0}, 9}, moment(2s), connection(9, 2s).acked(1'000'000'000).build()});
  m_session.accept(batch);
  const auto snapshot = poll(3s, {});
  EXPECT_EQ(onlyRow(*snapshot).limit, Limit::unknown) << "it was not idle: it was not seen";
  EXPECT_EQ(onlyRow(*snapshot).confidenceRatio, 0.0F);
  EXPECT_TRUE(std::isnan(onlyRow(*snapshot).sendRateBps));
}

TEST_F(AnalysisSessionTest, aConnectionThatWasIdleIsStillSaidToHaveBeenSoWhenItEnds) {
  poll(1s, {connection(1, 1s).build()});
  poll(2s, {});
  ObservationBatch batch = dumpOf({}, 3s);
  batch.closed.push_back({{PlaceId{0}, 1}, moment(3s), std::nullopt});
  m_session.accept(batch);
  EXPECT_EQ(onlyRow(*m_session.tick(moment(3s))).limit, Limit::idle);
}

TEST_F(AnalysisSessionTest, aDetailExistsBeforeTheFirstSnapshot) {
  m_session.accept(dumpOf({connection(1, 1s).build()}, 1s));
  const auto detail = m_session.detail({PlaceId{0}, 1});
  ASSERT_NE(detail, nullptr);
  EXPECT_EQ(detail->row.id.cookie, 1U);
}

}  // namespace
}  // namespace tcpscope
