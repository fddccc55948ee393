// Events of sources pass through the trace into the session, neither of which knows the single source.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectors/trace/trace_reader.h"
#include "collectors/trace/trace_writer.h"
#include "core/session/analysis_session.h"
#include "tests/support/observation_builder.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;

Moment moment(Nanoseconds sinceStart) {
  return Moment() + 1s + sinceStart;
}

SocketObservation socketAt(Nanoseconds time, TcpState state = TcpState::established) {
  return test::ObservationBuilder().at(time).state(state).build();
}

SourceEvent eventAt(Nanoseconds time, HistoryEventKind kind) {
  const SocketObservation socket = socketAt(time);
  return {"some_source", socket.local, socket.remote, moment(time), kind, 1, {std::byte{1}, std::byte{9}}};
}

ObservationBatch read(const std::vector<std::byte>& bytes) {
  TraceReader reader(PlaceId{0});
  reader.feed(bytes);
  reader.end();
  ObservationBatch all;
  while (const auto value = reader.next()) {
    const auto& batch = std::get<ObservationBatch>(*value);
    all.events.insert(all.events.end(), batch.events.begin(), batch.events.end());
    all.gaps.insert(all.gaps.end(), batch.gaps.begin(), batch.gaps.end());
  }
  return all;
}

std::vector<std::byte> written(const std::vector<SourceEvent>& events) {
  ObservationBatch batch;
  batch.events = events;
  std::vector<std::byte> bytes;
  TraceWriter(bytes).write(batch);
  return bytes;
}

TEST(SourceEvents, AreReadFromTheTraceAsTheyWereWritten) {
  std::vector<SourceEvent> events(300, eventAt(5ms, HistoryEventKind::opened));
  events.back() = eventAt(9ms, HistoryEventKind::closed);
  const ObservationBatch batch = read(written(events));
  EXPECT_EQ(batch.events, events);
  EXPECT_TRUE(batch.gaps.empty());
}

TEST(SourceEvents, WithALongPayloadFitIntoAFrameAndAreCut) {
  SourceEvent event = eventAt(5ms, HistoryEventKind::opened);
  event.payload.assign(100'000, std::byte{7});
  const ObservationBatch batch = read(written(std::vector<SourceEvent>(128, event)));
  ASSERT_EQ(batch.events.size(), 128U);
  EXPECT_EQ(batch.events.front().payload.size(), kMaxEventPayload);
}

TEST(SourceEvents, OfATruncatedFrameAreKeptUpToTheDamage) {
  const std::vector<std::byte> whole =
      written({eventAt(5ms, HistoryEventKind::opened), eventAt(6ms, HistoryEventKind::closed)});
  std::vector<std::byte> bytes;
  appendFrame(bytes, FrameKind::sourceEvents,
              std::span(whole).subspan(kFrameHeaderBytes, whole.size() - kFrameHeaderBytes - 1));
  const ObservationBatch batch = read(bytes);
  EXPECT_EQ(batch.events.size(), 1U);
  ASSERT_EQ(batch.gaps.size(), 1U);
  EXPECT_EQ(batch.gaps.front().kind, GapKind::damagedFrame);
}

class SourceEventsInSession : public ::testing::Test {
protected:
  SourceEventsInSession() {
    SessionControl control;
    control.focus = socketAt(0s).id;
    m_session.setControl(control);
  }
  void sample(Nanoseconds time, TcpState state = TcpState::established) {
    ObservationBatch batch;
    batch.changed = {socketAt(time, state)};
    batch.dumpEndedAt = moment(time);
    m_session.accept(batch);
  }
  void report(Nanoseconds time, HistoryEventKind kind) {
    ObservationBatch batch;
    batch.events = {eventAt(time, kind)};
    m_session.accept(batch);
  }
  std::vector<std::pair<HistoryEventKind, Moment>> history() {
    std::vector<std::pair<HistoryEventKind, Moment>> found;
    const auto detail = m_session.detail(socketAt(0s).id);
    for (const HistoryEvent& event : detail->events) found.emplace_back(event.kind, event.time);
    return found;
  }
  using History = std::vector<std::pair<HistoryEventKind, Moment>>;

  AnalysisSession m_session{SessionBudget{}};
};

TEST_F(SourceEventsInSession, BeforeTheFirstSampleBelongToTheConnection) {
  report(1ms, HistoryEventKind::closed);
  report(5ms, HistoryEventKind::opened);
  sample(1s);
  EXPECT_EQ(history(), (History{{HistoryEventKind::opened, moment(5ms)}})) << "the closed one had the same addresses";
}

TEST_F(SourceEventsInSession, TakeThePlaceOfTheEventConcludedFromLaterSamples) {
  sample(1s);
  report(1500ms, HistoryEventKind::stateChanged);
  sample(2s, TcpState::finWait1);
  EXPECT_EQ(history(), (History{{HistoryEventKind::stateChanged, moment(1500ms)}}));
}

TEST_F(SourceEventsInSession, TakeThePlaceOfTheEventConcludedBeforeTheyArrived) {
  sample(1s);
  sample(2s, TcpState::finWait1);
  report(1500ms, HistoryEventKind::stateChanged);
  EXPECT_EQ(history(), (History{{HistoryEventKind::stateChanged, moment(1500ms)}}));
}

TEST_F(SourceEventsInSession, OfTheEndAreKeptOnce) {
  sample(1s);
  ObservationBatch end;
  end.closed.push_back({socketAt(0s).id, moment(2s), std::nullopt});
  m_session.accept(end);
  report(1900ms, HistoryEventKind::closed);
  report(3s, HistoryEventKind::closed);
  EXPECT_EQ(history(), (History{{HistoryEventKind::closed, moment(1900ms)}})) << "the later one is another's";
}

}  // namespace
}  // namespace tcpscope
