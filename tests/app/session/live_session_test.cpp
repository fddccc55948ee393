#include "app/session/live_session.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "app/session/local_place.h"
#include "app/session/recorded_session.h"
#include "app/session/session_recorder.h"
#include "collectors/system/monotonic_clock.h"
#include "tests/support/built_paths.h"
#include "tests/support/json_schema.h"
#include "tests/support/observation_builder.h"
#include "tests/support/session_watch.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;
using test::ObservationBuilder;

/// Shows `sockets` connections at every list interval, and says what it is asked for.
class PretendCollector final : public Collector {
public:
  explicit PretendCollector(std::uint64_t sockets, PlaceId place = {}) : m_sockets(sockets), m_place(place) {}

  [[nodiscard]] CollectorDescription describe() const override { return {"pretend", "for tests"}; }

  void run(std::stop_token stop, RequestSource& requests, const ObservationSink& sink) override {
    CollectorRequest request = requests.take();
    while (!stop.stop_requested()) {
      m_focusAsked = request.focus ? request.focus->id.cookie : 0;
      if (m_comesAsAnother.exchange(false)) sink(appearance());
      ObservationBatch batch;
      batch.place = m_place;
      const Moment now = monotonicNow();
      for (std::uint64_t cookie = m_cookiesAfter + 1; cookie <= m_cookiesAfter + m_sockets; ++cookie) {
        SocketObservation socket = ObservationBuilder().cookie(cookie).acked(1000 * ++m_polls).build();
        socket.id.place = m_place;
        socket.takenAt = now;
        socket.inode = static_cast<std::uint32_t>(100 + cookie);
        batch.changed.push_back(socket);
      }
      batch.dumpEndedAt = now;
      sink(std::move(batch));
      pollfd waiting{requests.wakeDescriptor(), POLLIN, 0};
      poll(&waiting, 1, static_cast<int>(request.listInterval.count()));
      if ((waiting.revents & POLLIN) != 0) request = requests.take();
    }
    m_ended = true;
  }

  std::atomic<std::uint64_t> m_focusAsked = 0;
  std::atomic<bool> m_ended = false;
  /// The host was rebooted: from now on it has other sockets.
  std::atomic<bool> m_comesAsAnother = false;
  std::atomic<std::uint64_t> m_sockets;

private:
  ObservationBatch appearance() {
    m_cookiesAfter += 100;
    ObservationBatch batch;
    batch.place = m_place;
    batch.turn = PlaceTurn::appeared;
    auto place = std::make_shared<Place>();
    place->id = m_place;
    place->bootId = "another";
    batch.appeared = std::move(place);
    return batch;
  }

  std::uint64_t m_cookiesAfter = 0;
  PlaceId m_place;
  std::uint64_t m_polls = 0;
};

ObservationBatch everySocketBelongsToNginx(const ProcessQuestions& questions, std::stop_token) {
  ObservationBatch answers;
  for (const OwnerQuestion& question : questions.owners) {
    Owner owner;
    owner.pid = 42;
    owner.processName = UntrustedText("nginx");
    answers.owners.push_back({question.id, owner});
  }
  for (const LiveOptionsQuestion& question : questions.liveOptions) {
    answers.liveOptions.push_back({question.id, {{true, question.pid == 42}}});
  }
  return answers;
}

class LiveSessionTest : public ::testing::Test {
protected:
  void start(std::uint64_t sockets, std::size_t queueCapacity = 131'072) {
    LiveSessionParts parts;
    parts.now = monotonicNow;
    parts.queueCapacity = queueCapacity;
    auto collector = std::make_unique<PretendCollector>(sockets);
    m_collector = collector.get();
    parts.collectors.push_back({PlaceId{0}, std::move(collector)});
    parts.answers = m_answers;
    m_control.listInterval = 20ms;
    auto session = LiveSession::start(std::move(parts), m_control);
    ASSERT_TRUE(session.has_value());
    m_session = std::move(*session);
  }

  /// Null after a minute.
  template <class Condition>
  std::shared_ptr<const SessionSnapshot> waitFor(Condition condition) {
    return test::waitForSnapshot(*m_session, condition);
  }

  SessionControl m_control;
  ProcessAnswers m_answers = everySocketBelongsToNginx;
  PretendCollector* m_collector = nullptr;
  std::unique_ptr<LiveSession> m_session;
};

TEST_F(LiveSessionTest, ShowsWhatTheCollectorSees) {
  start(3);
  const auto snapshot = waitFor([](const SessionSnapshot& seen) { return seen.order->size() == 3; });
  ASSERT_NE(snapshot, nullptr);
  EXPECT_EQ(snapshot->totalRows, 3U);
}

TEST_F(LiveSessionTest, KeepsPublishingNewerSnapshots) {
  start(1);
  EXPECT_NE(waitFor([](const SessionSnapshot& seen) { return seen.number >= 5; }), nullptr);
}

TEST_F(LiveSessionTest, FindsOwnersInTheBackground) {
  start(2);
  const auto snapshot = waitFor([](const SessionSnapshot& seen) {
    return seen.order->size() == 2 && seen.owner(seen.row((*seen.order)[0])) != nullptr;
  });
  ASSERT_NE(snapshot, nullptr);
  const Owner* const owner = snapshot->owner(snapshot->row((*snapshot->order)[0]));
  ASSERT_NE(owner, nullptr);
  EXPECT_EQ(owner->processName, UntrustedText("nginx"));
}

// Where connections come and go faster than /proc is read, questions would pile up.
TEST_F(LiveSessionTest, GathersQuestionsWhileEarlierOnesAreAnswered) {
  std::atomic<bool> mayAnswer = false;
  std::vector<std::size_t> asked;
  m_answers = [&](const ProcessQuestions& questions, const std::stop_token& stop) {
    asked.push_back(questions.owners.size());
    while (!mayAnswer && !stop.stop_requested()) std::this_thread::yield();
    return everySocketBelongsToNginx(questions, stop);
  };
  start(1);
  for (const std::size_t sockets : {1U, 2U, 3U}) {
    m_collector->m_sockets = sockets;
    EXPECT_NE(waitFor([&](const SessionSnapshot& seen) { return seen.order->size() == sockets; }), nullptr);
  }
  mayAnswer = true;
  const auto areKnown = [](const SessionSnapshot& seen) {
    return std::all_of(seen.order->begin(), seen.order->end(),
                       [&](std::uint32_t slot) { return seen.owner(seen.row(slot)) != nullptr; });
  };
  EXPECT_NE(waitFor(areKnown), nullptr);
  m_session.reset();
  EXPECT_EQ(asked, (std::vector<std::size_t>{1, 2}));
}

TEST_F(LiveSessionTest, AsksTheCollectorForTheConnectionInFocusAndShowsItsDetail) {
  start(2);
  const ConnectionId second{PlaceId{0}, 2};
  m_control.focus = second;
  m_session->setControl(m_control);
  EXPECT_NE(waitFor([&](const SessionSnapshot& seen) { return seen.details.contains(second); }), nullptr);
  EXPECT_NE(waitFor([&](const SessionSnapshot&) { return m_collector->m_focusAsked == 2; }), nullptr);
}

TEST_F(LiveSessionTest, LearnsWhichBuffersTheFocusedProgramLocked) {
  start(1);
  const ConnectionId first{PlaceId{0}, 1};
  m_control.focus = first;
  m_session->setControl(m_control);
  EXPECT_NE(waitFor([&](const SessionSnapshot& seen) {
              const auto detail = seen.details.find(first);
              return detail != seen.details.end() && detail->second->socket.bufferLocks == BufferLocks{true, true};
            }),
            nullptr);
}

Place placeCalled(const char* host, std::uint32_t number) {
  Place place;
  place.id = PlaceId{number};
  place.host = UntrustedText(host);
  return place;
}

std::size_t rowsOf(const SessionSnapshot& snapshot, PlaceId place) {
  std::size_t count = 0;
  for (const std::uint32_t slot : *snapshot.order)
    if (snapshot.row(slot).id.place == place) ++count;
  return count;
}

TEST_F(LiveSessionTest, APlaceMayJoinAndLeaveWhileItRuns) {
  start(1);
  const Place place = placeCalled("db1", 5);
  auto collector = std::make_unique<PretendCollector>(2, place.id);
  ASSERT_TRUE(m_session->join(place, std::move(collector)));
  const auto both = waitFor(
      [&](const SessionSnapshot& seen) { return rowsOf(seen, PlaceId{0}) == 1 && rowsOf(seen, place.id) == 2; });
  ASSERT_NE(both, nullptr);
  EXPECT_EQ(both->places.back().host, place.host);
  const auto owned = waitFor([](const SessionSnapshot& seen) {
    const ConnectionFacts* here = seen.find({PlaceId{0}, 1});
    return here != nullptr && seen.owner(*here) != nullptr;
  });
  ASSERT_NE(owned, nullptr);
  EXPECT_EQ(owned->owner(*owned->find({place.id, 1})), nullptr) << "this host's /proc knows nothing of it";
  m_session->leave(place.id);
  const auto alone = waitFor([&](const SessionSnapshot& seen) { return seen.places.empty() && seen.totalRows == 1; });
  EXPECT_NE(alone, nullptr);
}

TEST_F(LiveSessionTest, APlaceThatJoinsIsAskedForTheFocusThereToo) {
  start(1);
  const Place place = placeCalled("db1", 5);
  auto collector = std::make_unique<PretendCollector>(2, place.id);
  PretendCollector* const joined = collector.get();
  ASSERT_TRUE(m_session->join(place, std::move(collector)));
  m_control.focus = ConnectionId{place.id, 2};
  m_session->setControl(m_control);
  EXPECT_NE(waitFor([&](const SessionSnapshot&) { return joined->m_focusAsked == 2; }), nullptr);
  EXPECT_EQ(m_collector->m_focusAsked, 0U) << "it is of another place";
}

TEST_F(LiveSessionTest, ARecordingEndsTheSocketsOfAHostThatWasStartedAgain) {
  start(2);
  const test::TemporaryFile file("");
  const auto recorder = SessionRecorder::start(file.path(), {placeCalled("db1", 0)}, clockPairNow(), {monotonicNow});
  ASSERT_TRUE(recorder);
  m_session->recordInto(*recorder);
  ASSERT_NE(waitFor([](const SessionSnapshot& seen) { return seen.find({PlaceId{0}, 1}) != nullptr; }), nullptr);
  m_collector->m_comesAsAnother = true;
  ASSERT_NE(waitFor([](const SessionSnapshot& seen) { return seen.find({PlaceId{0}, 101}) != nullptr; }), nullptr);
  (*recorder)->requestStop();
  ASSERT_NE(waitFor([&](const SessionSnapshot&) { return (*recorder)->state().ended.has_value(); }), nullptr);

  const auto read = RecordedSession::read(file.path(), {});
  ASSERT_TRUE(read);
  const auto replayed = (*read)->atEnd();
  for (const std::uint64_t cookie : {1ULL, 2ULL}) {
    const ConnectionFacts* before = replayed->find({PlaceId{0}, cookie});
    ASSERT_NE(before, nullptr);
    EXPECT_TRUE(before->closed) << cookie;
  }
  ASSERT_NE(replayed->find({PlaceId{0}, 101}), nullptr);
  EXPECT_FALSE(replayed->find({PlaceId{0}, 101})->closed);
}

TEST_F(LiveSessionTest, ReleasesTheFocusOnceNoViewNeedsIt) {
  start(1);
  m_control.focus = ConnectionId{PlaceId{0}, 1};
  m_session->setControl(m_control);
  ASSERT_NE(waitFor([&](const SessionSnapshot&) { return m_collector->m_focusAsked == 1; }), nullptr);
  m_control.focus.reset();
  m_session->setControl(m_control);
  EXPECT_NE(waitFor([&](const SessionSnapshot&) { return m_collector->m_focusAsked == 0; }), nullptr);
}

TEST_F(LiveSessionTest, SaysThatPacketsPassElsewhereWhereNoneCanBeCaptured) {
  start(1);
  m_control.capture = CaptureRequest{1, ConnectionId{PlaceId{0}, 1}, "tcp", {}, false, {}, 0};
  m_session->setControl(m_control);
  const auto snapshot = waitFor([](const SessionSnapshot& seen) { return seen.capture.has_value(); });
  ASSERT_NE(snapshot, nullptr);
  EXPECT_EQ(snapshot->capture->phase, LiveCapturePhase::failed);
  ASSERT_TRUE(snapshot->capture->error);
  EXPECT_EQ(snapshot->capture->error->kind, LiveCaptureErrorKind::elsewhere);
  m_control.capture.reset();
  m_session->setControl(m_control);
  EXPECT_NE(waitFor([](const SessionSnapshot& seen) { return !seen.capture; }), nullptr);
}

TEST_F(LiveSessionTest, ACaptureEndsWithItsPlace) {
  start(1);
  const Place place = placeCalled("container", 5);
  CaptureMeans means;
  means.open = nullptr;
  means.process = [](const LiveCaptureSettings& settings) {
    ChildCommand command;
    command.arguments = {"sh", "-c", "cat \"$0\"; exec sleep 1000",
                         test::testData() / "captures" / "fast-retransmission.pcap"};
    return startCapturing(std::move(command), settings.interface);
  };
  ASSERT_TRUE(m_session->join(place, std::make_unique<PretendCollector>(1, place.id), means));
  ASSERT_NE(waitFor([&](const SessionSnapshot& seen) { return rowsOf(seen, place.id) == 1; }), nullptr);
  m_control.pinned.insert({place.id, 1});
  m_control.capture = CaptureRequest{1, ConnectionId{place.id, 1}, "tcp", {}, false, {}, 0};
  m_session->setControl(m_control);
  ASSERT_NE(waitFor([](const SessionSnapshot& seen) { return seen.capture && seen.capture->packets > 10; }), nullptr);
  m_session->leave(place.id);
  EXPECT_NE(waitFor([](const SessionSnapshot& seen) {
              return seen.capture && seen.capture->phase == LiveCapturePhase::ended;
            }),
            nullptr);
}

TEST_F(LiveSessionTest, GoesOnWhenTheQueueIsTooSmallForTheTraffic) {
  start(50, 1);
  EXPECT_NE(waitFor([](const SessionSnapshot& seen) { return seen.totalRows == 50; }), nullptr);
}

TEST_F(LiveSessionTest, StopsAtOnceHoweverLongTheListIntervalIs) {
  m_control.listInterval = 20ms;
  start(1);
  ASSERT_NE(waitFor([](const SessionSnapshot& seen) { return seen.number >= 1; }), nullptr);
  m_control.listInterval = Milliseconds(3'600'000);
  m_session->setControl(m_control);
  m_session.reset();
}

}  // namespace
}  // namespace tcpscope
