// The events of a session: those that a socket's samples show, and those that other sources report.
#include "core/session/history_events.h"

#include <algorithm>
#include <optional>
#include <vector>

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

struct WindowSample {
  CaState state = CaState::open;
  std::uint32_t window = 0;
  std::uint32_t threshold = 0x7fffffff;
};

/// By how many segments the window falls in each sample after the first, 0 where nothing is marked; 10 ms apart.
std::vector<std::uint64_t> windowDrops(const std::vector<WindowSample>& samples) {
  std::vector<std::uint64_t> drops;
  std::optional<SocketObservation> before;
  Milliseconds at{1000};
  for (const WindowSample& sample : samples) {
    const SocketObservation now = connection(1, at)
                                      .caState(sample.state)
                                      .congestionWindow(sample.window)
                                      .set(tcp_info::kSndSsthresh, sample.threshold)
                                      .build();
    std::vector<HistoryEvent> events;
    if (before) {
      appendEvents(*before, now, events);
      const auto drop = std::find_if(events.begin(), events.end(), [](const HistoryEvent& event) {
        return event.kind == HistoryEventKind::congestionWindowDrop;
      });
      drops.push_back(drop == events.end() ? 0 : drop->count);
    }
    before = now;
    at += 10ms;
  }
  return drops;
}

using Drops = std::vector<std::uint64_t>;

// High-speed algorithms take a tenth to a third, a few segments with each acknowledgment of the recovery.
TEST(CongestionWindowDrop, IsMarkedOnceWhereItsRecoveryBegins) {
  EXPECT_EQ(windowDrops({{CaState::open, 100},
                         {CaState::recovery, 98, 85},
                         {CaState::recovery, 60, 85},
                         {CaState::open, 85, 85},
                         {CaState::open, 86, 85}}),
            (Drops{15, 0, 0, 0}));
  EXPECT_EQ(windowDrops({{CaState::open, 100}, {CaState::recovery, 98, 70}, {CaState::open, 70, 70}}), (Drops{30, 0}));
  EXPECT_EQ(windowDrops({{CaState::open, 100}, {CaState::open, 90, 90}}), (Drops{10})) << "between two samples";
}

TEST(CongestionWindowDrop, IsMarkedForEachResponseOfALongRecovery) {
  EXPECT_EQ(windowDrops({{CaState::recovery, 100, 100}, {CaState::recovery, 95, 70}, {CaState::loss, 1, 35}}),
            (Drops{30, 94}));
}

TEST(CongestionWindowDrop, OfMarksIsThatOfLosses) {
  EXPECT_EQ(windowDrops({{CaState::open, 100}, {CaState::congestionWindowReduced, 97, 70}, {CaState::open, 70, 70}}),
            (Drops{30, 0}));
}

TEST(CongestionWindowDrop, IsNoneWhereSlowStartEnds) {
  EXPECT_EQ(windowDrops({{CaState::open, 100}, {CaState::open, 120, 110}, {CaState::open, 121, 110}}), (Drops{0, 0}));
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
