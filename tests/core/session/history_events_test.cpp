// The events of a session: those that a socket's samples show, and those that other sources report.
#include "core/session/history_events.h"

#include "tests/core/session/session_polls.h"

namespace tcpscope {
namespace {

using test::connection;
using test::moment;
using namespace std::chrono_literals;

class HistoryEventsTest : public test::SessionPolls {};

TEST_F(HistoryEventsTest, retransmissionsAndTimeoutsOfTheFocusedConnectionBecomeEvents) {
  SessionControl control;
  control.focus = ConnectionId{PlaceId{0}, 1};
  m_session.setControl(control);
  poll(1s, {connection(1, 1s).retransmitted(4).build()});
  const auto snapshot = poll(2s, {connection(1, 2s).retransmitted(7).timeouts(1, 0ms).build()});
  const auto& events = snapshot->details.at(*control.focus)->events;
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].kind, HistoryEventKind::retransmission);
  EXPECT_EQ(events[0].count, 3U);
  EXPECT_EQ(events[1].kind, HistoryEventKind::timeout);
}

// High-speed algorithms take a tenth to a third, a few segments with each acknowledgment of the recovery.
TEST_F(HistoryEventsTest, aWindowThatShrinksThroughoutARecoveryDropsOnceAtItsBeginning) {
  SessionControl control;
  control.focus = ConnectionId{PlaceId{0}, 1};
  m_session.setControl(control);
  const auto sample = [](Milliseconds at, CaState state, std::uint32_t window, std::uint32_t threshold) {
    return connection(1, at).caState(state).congestionWindow(window).set(tcp_info::kSndSsthresh, threshold).build();
  };
  poll(1000ms, {sample(1000ms, CaState::open, 100, 0x7fffffffU)});
  poll(1010ms, {sample(1010ms, CaState::recovery, 98, 85)});
  poll(1020ms, {sample(1020ms, CaState::recovery, 60, 85)});
  poll(1030ms, {sample(1030ms, CaState::open, 85, 85)});
  const auto snapshot = poll(1040ms, {sample(1040ms, CaState::open, 86, 85)});
  std::vector<HistoryEvent> drops;
  for (const HistoryEvent& event : snapshot->details.at(*control.focus)->events) {
    if (event.kind == HistoryEventKind::congestionWindowDrop) drops.push_back(event);
  }
  ASSERT_EQ(drops.size(), 1U);
  EXPECT_EQ(drops[0].time, moment(1010ms));
  EXPECT_EQ(drops[0].count, 15U);
}

TEST_F(HistoryEventsTest, changesOfStateCongestionControlAndPathBecomeEvents) {
  SessionControl control;
  control.focus = ConnectionId{PlaceId{0}, 1};
  m_session.setControl(control);
  poll(1s, {connection(1, 1s).set(tcp_info::kPmtu, 1500U).build()});
  const auto snapshot = poll(
      2s, {connection(1, 2s).state(TcpState::closeWait).congestionControl("bbr").set(tcp_info::kPmtu, 1280U).build()});
  std::vector<HistoryEventKind> kinds;
  for (const HistoryEvent& event : snapshot->details.at(*control.focus)->events) kinds.push_back(event.kind);
  EXPECT_EQ(kinds,
            (std::vector<HistoryEventKind>{HistoryEventKind::stateChanged, HistoryEventKind::congestionControlChanged,
                                           HistoryEventKind::settingChanged}));
}

TEST_F(HistoryEventsTest, aChangedSettingOfThePlaceIsAMarkOnEveryWatchedConnectionThere) {
  SessionControl control;
  control.focus = ConnectionId{PlaceId{0}, 1};
  control.pinned = {ConnectionId{PlaceId{0}, 2}};
  m_session.setControl(control);
  poll(1s, {connection(1, 1s).build(), connection(2, 1s).build()});
  const ChangeMark mark{moment(1500ms), std::nullopt, UntrustedText("net.ipv4.tcp_sack"), UntrustedText("0"),
                        UntrustedText("1")};
  ObservationBatch batch;
  batch.place = PlaceId{0};
  batch.changeMarks = {mark};
  m_session.accept(batch);
  batch.place = PlaceId{1};
  m_session.accept(batch);
  const auto snapshot = poll(2s, {connection(1, 2s).build(), connection(2, 2s).build()});
  for (const std::uint64_t cookie : {1U, 2U}) {
    const ConnectionDetail& detail = *snapshot->details.at(ConnectionId{PlaceId{0}, cookie});
    ASSERT_EQ(detail.events.size(), 1U) << "and nothing of another place";
    EXPECT_EQ(detail.events[0].kind, HistoryEventKind::hostSettingChanged);
    EXPECT_EQ(detail.events[0].time, moment(1500ms));
    EXPECT_EQ(detail.changeMarks, std::vector{mark});
  }
}

TEST_F(HistoryEventsTest, anOptionThatTheUserChangedIsAMarkOnItsConnectionOnce) {
  SessionControl control;
  control.focus = ConnectionId{PlaceId{0}, 1};
  control.pinned = {ConnectionId{PlaceId{0}, 2}};
  m_session.setControl(control);
  poll(1s, {connection(1, 1s).build(), connection(2, 1s).build()});
  control.changeMarks.push_back({moment(1500ms), control.focus, UntrustedText("SO_SNDBUF"), {}, UntrustedText("1 MB")});
  m_session.setControl(control);
  m_session.setControl(control);
  const auto snapshot = poll(2s, {connection(1, 2s).build(), connection(2, 2s).build()});
  EXPECT_EQ(snapshot->details.at(*control.focus)->changeMarks, control.changeMarks);
  EXPECT_TRUE(snapshot->details.at(ConnectionId{PlaceId{0}, 2})->changeMarks.empty());
}

TEST_F(HistoryEventsTest, missingSamplesOfTheFocusedConnectionBecomeAGap) {
  SessionControl control;
  control.focus = ConnectionId{PlaceId{0}, 1};
  m_session.setControl(control);
  std::shared_ptr<const SessionSnapshot> snapshot;
  const auto sampleAt = [&](Milliseconds time) {
    snapshot = poll(time, {connection(1, time).acked(static_cast<std::uint64_t>(time.count())).build()});
  };
  for (Milliseconds time{10}; time <= 3s; time += Milliseconds(10)) sampleAt(time);
  EXPECT_TRUE(snapshot->details.at(*control.focus)->events.empty());
  sampleAt(3500ms);
  const auto& events = snapshot->details.at(*control.focus)->events;
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].kind, HistoryEventKind::gap);
  EXPECT_EQ(events[0].time, moment(3500ms));
}

}  // namespace
}  // namespace tcpscope
