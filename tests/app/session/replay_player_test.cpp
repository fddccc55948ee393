// A recording as it is played: what is seen of a moment does not depend on how it was reached.
#include "app/session/replay_player.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <limits>

#include "app/session/recorded_session.h"
#include "app/session/recording_survey.h"
#include "core/loss/loss_summary.h"
#include "core/report/connections_document.h"
#include "tests/support/built_paths.h"
#include "tests/support/json_schema.h"
#include "tests/support/session_watch.h"
#include "tests/support/written_recording.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;
using Picture = std::shared_ptr<const SessionSnapshot>;

constexpr std::optional<double> kAsFastAsItGoes = std::nullopt;
constexpr std::size_t kMuch = 1U << 30;

/// What the list shows, and everything that is said of every connection.
std::string saidOf(const AnalysisSession& session, const SessionSnapshot& picture) {
  ConnectionsDocument document;
  document.time = picture.clock.wallAt(picture.time);
  document.places = picture.places;
  document.gaps = picture.gaps;
  document.listeners = picture.listeners;
  document.connections = detailsOf(session, picture);
  std::string said = toJson(document);
  for (const std::uint32_t slot : *picture.order) {
    const ConnectionRow row = picture.row(slot);
    said += fmt::format("row {}: {} {} {} {} {} {} {:02x} {:02x} {}\n", row.id.cookie, row.firstSeen.nanoseconds(),
                        row.closed, row.sendRateBps, row.sentBytes, static_cast<int>(row.limit), row.confidenceRatio,
                        fmt::join(row.sparkline, ""), fmt::join(row.limits.percent, ""), row.retransmittedRatio);
  }
  for (const auto& detail : document.connections) {
    said += fmt::format("history {}: {} samples, {} events, {} marks, {} lost\n", detail->row.id.cookie,
                        detail->history.sampleCount(), detail->events.size(), detail->changeMarks.size(),
                        detail->losses ? detail->losses->lostPackets : 0);
  }
  return said;
}

class ReplayPlayerTest : public testing::Test {
protected:
  void open() { open(m_file.path()); }
  /// Another reader of the same file has left them.
  void openWithCheckpoints(const std::filesystem::path& path, std::size_t spacing) {
    open(path);
    auto twin = Replay::open({&path, 1}, {}, PlaceId{0});
    ASSERT_TRUE(twin.has_value());
    m_checkpoints = std::make_shared<ReplayCheckpoints>(spacing);
    leaveCheckpoints(**twin, *m_checkpoints, kMuch, {});
    m_player->useCheckpoints(m_checkpoints);
  }
  void open(const std::filesystem::path& path) {
    SessionControl control;
    control.focus = ConnectionId{PlaceId{0}, 1};
    auto replay = Replay::open({&path, 1}, control, PlaceId{0});
    ASSERT_TRUE(replay.has_value());
    m_player.emplace(
        std::move(*replay), [this] { return m_takesASecond ? m_now = m_now + 1s : m_now; }, control.listInterval);
  }
  void SetUp() override { open(); }

  /// Time passes here, and the player does what it has to do.
  void pass(Nanoseconds span) {
    const Moment end = m_now + span;
    for (auto next = m_player->nextStep(); next && *next <= end; next = m_player->nextStep()) {
      m_now = std::max(m_now, *next);
      step();
    }
    m_now = end;
  }
  /// Carries an order out, to where nothing more happens by itself.
  void obey(ReplayOrder order) {
    m_player->obey(order);
    for (auto next = m_player->nextStep(); next; next = m_player->nextStep()) {
      m_now = std::max(m_now, *next);
      step();
    }
  }
  void step() {
    Picture picture = m_player->step();
    if (!picture) return;
    m_picture = std::move(picture);
    ++m_pictures;
  }
  void playFor(Nanoseconds span, std::optional<double> speed) {
    m_player->obey({.motion = ReplayMotion::forwards, .speed = ReplaySpeed{speed}});
    pass(span);
    obey({.motion = ReplayMotion::stands});
  }
  [[nodiscard]] std::string said() const { return saidOf(m_player->replay().session(), *m_picture); }
  [[nodiscard]] Nanoseconds position() const { return m_player->position().at - test::writtenBegin(); }
  [[nodiscard]] std::size_t rows() const { return m_picture->order->size(); }

  const test::TemporaryFile m_file{""};
  const test::WrittenMinute m_written{m_file.path()};
  Moment m_now = Moment::fromNanoseconds(5'000'000'000'000);
  bool m_takesASecond = false;
  std::optional<ReplayPlayer> m_player;
  std::shared_ptr<ReplayCheckpoints> m_checkpoints;
  Picture m_picture;
  int m_pictures = 0;
};

TEST_F(ReplayPlayerTest, SaysTheSameOfAMomentHoweverFastItWasReached) {
  std::vector<std::string> played;
  for (const double speed : {0.25, 1.0, 16.0, 60.0}) {
    open();
    playFor(std::chrono::duration_cast<Nanoseconds>(33'300ms / speed), speed);
    ASSERT_EQ(position(), 33'300ms);
    played.push_back(said());
  }
  open();
  obey({.seek = test::writtenBegin() + 33'300ms});
  EXPECT_EQ(m_picture->time, test::writtenBegin() + 33'300ms);
  ASSERT_EQ(rows(), 3U);
  for (const std::string& one : played) EXPECT_EQ(one, said());
}

TEST_F(ReplayPlayerTest, GoesBackToWhatWasKnownThen) {
  obey({.seek = test::writtenBegin() + 15s});
  const std::string at15 = said();
  obey({.seek = test::writtenBegin() + 50s});
  const std::string at50 = said();
  EXPECT_NE(at15, at50);
  obey({.seek = test::writtenBegin() + 5s});
  EXPECT_EQ(rows(), 2U) << "the third connection is not there yet";
  obey({.seek = test::writtenBegin() + 15s});
  EXPECT_EQ(said(), at15);
  EXPECT_EQ(m_picture->details.begin()->second->history.lastTime(), test::writtenBegin() + 15s);
  obey({.seek = test::writtenBegin() + 50s});
  EXPECT_EQ(said(), at50);
}

TEST_F(ReplayPlayerTest, TellsTheVerdictOfTheMoment) {
  obey({.seek = test::writtenBegin() + 20s});
  EXPECT_EQ(test::rowOf(*m_picture, 1)->limit, Limit::receiver);
  obey({.seek = test::writtenBegin() + 55s});
  EXPECT_EQ(test::rowOf(*m_picture, 1)->limit, Limit::application);
  EXPECT_TRUE(test::rowOf(*m_picture, 3)->closed);
  obey({.seek = test::writtenBegin() + 20s});
  EXPECT_EQ(test::rowOf(*m_picture, 1)->limit, Limit::receiver);
  EXPECT_FALSE(test::rowOf(*m_picture, 3)->closed);
}

TEST_F(ReplayPlayerTest, PassesAsMuchTimeAsItsSpeedSays) {
  playFor(10s, 4.0);
  EXPECT_EQ(position(), 40s);
  playFor(10s, 0.25);
  EXPECT_EQ(position(), 42'500ms);
}

TEST_F(ReplayPlayerTest, ChangesItsSpeedWhileItPlays) {
  m_player->obey({.motion = ReplayMotion::forwards});
  pass(10s);
  m_player->obey({.speed = ReplaySpeed{4.0}});
  pass(5s);
  EXPECT_NEAR(toSeconds(position()), 30.0, 0.2);
}

TEST_F(ReplayPlayerTest, ShowsAPictureNoMoreOftenThanAnEyeNeeds) {
  playFor(1s, 60.0);
  EXPECT_GE(m_pictures, 10);
  EXPECT_LE(m_pictures, 30);
}

TEST_F(ReplayPlayerTest, ShowsNothingNewWhileItStands) {
  playFor(12s, 1.0);
  const int shown = m_pictures;
  EXPECT_EQ(m_picture->time, test::writtenBegin() + 12s);
  EXPECT_FALSE(m_player->nextStep());
  pass(1h);
  EXPECT_EQ(m_pictures, shown);
  EXPECT_EQ(position(), 12s);
}

TEST_F(ReplayPlayerTest, ShowsWhatSomebodySelectsWhileItStands) {
  obey({.seek = test::writtenBegin() + 12s});
  SessionControl control;
  control.focus = ConnectionId{PlaceId{0}, 3};
  obey({.control = control});
  ASSERT_TRUE(m_picture->details.contains(*control.focus));
  EXPECT_EQ(m_picture->details.at(*control.focus)->history.sampleCount(), 3U);
  EXPECT_EQ(m_picture->time, test::writtenBegin() + 12s);
}

TEST_F(ReplayPlayerTest, StandsAtTheEndAndBeginsAnewFromThere) {
  m_player->obey({.motion = ReplayMotion::forwards});
  pass(2min);
  EXPECT_EQ(position(), test::kWrittenSpan);
  EXPECT_EQ(m_player->position().motion, ReplayMotion::stands);
  EXPECT_FALSE(m_player->nextStep());
  const std::string atEnd = said();
  m_player->obey({.motion = ReplayMotion::forwards});
  pass(3s);
  EXPECT_EQ(m_player->position().motion, ReplayMotion::forwards);
  EXPECT_NEAR(toSeconds(position()), 3.0, 0.2);
  obey({.seek = test::writtenBegin() + 1h, .motion = ReplayMotion::stands});
  EXPECT_EQ(position(), test::kWrittenSpan);
  EXPECT_EQ(said(), atEnd);
}

TEST_F(ReplayPlayerTest, GoesAsFastAsItGoesToTheEnd) {
  obey({.seek = test::writtenBegin() + test::kWrittenSpan});
  const std::string sought = said();
  open();
  obey({.motion = ReplayMotion::forwards, .speed = ReplaySpeed{kAsFastAsItGoes}});
  EXPECT_EQ(position(), test::kWrittenSpan);
  EXPECT_EQ(said(), sought);
}

TEST_F(ReplayPlayerTest, PlaysOnFromWhereSomebodyWent) {
  m_player->obey({.motion = ReplayMotion::forwards});
  pass(5s);
  m_player->obey({.seek = test::writtenBegin() + 30s});
  EXPECT_TRUE(m_player->position().isSeeking);
  EXPECT_EQ(position(), 30s);
  pass(2s);
  EXPECT_FALSE(m_player->position().isSeeking);
  EXPECT_NEAR(toSeconds(position()), 32.0, 0.2);
}

TEST_F(ReplayPlayerTest, ANewerWishTakesThePlaceOfTheOneThatWaits) {
  ReplayOrder order{.seek = test::writtenBegin() + 50s, .motion = ReplayMotion::forwards};
  order.add({.seek = test::writtenBegin() + 7s});
  order.add({.motion = ReplayMotion::stands});
  obey(order);
  EXPECT_EQ(position(), 7s);
  EXPECT_EQ(m_player->position().motion, ReplayMotion::stands);
}

TEST_F(ReplayPlayerTest, NothingComesBeforeTheBegin) {
  obey({.seek = test::writtenBegin() + 5s});
  obey({.seek = Moment::fromNanoseconds(std::numeric_limits<std::int64_t>::min())});
  EXPECT_EQ(position(), 0s);
  EXPECT_EQ(rows(), 2U) << "what was known at once";
}

TEST_F(ReplayPlayerTest, ACutRecordingPlaysUpToTheCutAndSaysSoEachTime) {
  std::filesystem::resize_file(m_file.path(), std::filesystem::file_size(m_file.path()) / 2);
  open();
  for (int time = 0; time < 2; ++time) {
    obey({.seek = test::writtenBegin() + 1h});
    EXPECT_GT(position(), 5s);
    EXPECT_LT(position(), test::kWrittenSpan);
    ASSERT_EQ(m_picture->gaps.size(), 1U);
    EXPECT_EQ(m_picture->gaps[0].kind, GapKind::damagedFrame);
    EXPECT_EQ(m_picture->gaps[0].count, 1U);
    obey({.seek = test::writtenBegin() + 2s});
    EXPECT_TRUE(m_picture->gaps.empty());
  }
}

TEST_F(ReplayPlayerTest, ADamagedRecordingIsTheSameASecondTime) {
  std::fstream stream(m_file.path(), std::ios::in | std::ios::out | std::ios::binary);
  stream.seekp(static_cast<std::streamoff>(std::filesystem::file_size(m_file.path()) / 3));
  stream.write("\0\1\2\3\4\5\6\7", 8);
  stream.close();
  open();
  obey({.seek = test::writtenBegin() + 1h});
  EXPECT_FALSE(m_picture->gaps.empty());
  const std::string once = said();
  obey({.seek = test::writtenBegin()});
  obey({.seek = test::writtenBegin() + 1h});
  EXPECT_EQ(said(), once);
}

TEST_F(ReplayPlayerTest, RecordingsOfBeforeGoBackToo) {
  for (const char* const name : {"version1.tcpscope", "version1-frames.tcpscope"}) {
    open(test::testData() / "recordings" / name);
    const Moment begin = m_player->replay().clock().monotonic;
    obey({.seek = begin + 1h});
    const std::string atEnd = said();
    obey({.seek = begin});
    EXPECT_NE(said(), atEnd) << name;
    obey({.seek = begin + 1h});
    EXPECT_EQ(said(), atEnd) << name;
  }
}

/// The last half of the minute, in several files.
class Ring {
public:
  Ring() { EXPECT_GT(piecesBeside(path()).size(), 2U); }
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;
  ~Ring() {
    for (const std::filesystem::path& piece : piecesBeside(path())) std::filesystem::remove(piece);
  }
  [[nodiscard]] std::filesystem::path path() const { return m_file.path(); }

private:
  static RecordingLimits limits() {
    RecordingLimits limits;
    limits.age = 43s;
    return limits;
  }

  const test::TemporaryFile m_file{""};
  const test::WrittenMinute m_written{m_file.path(), limits()};
};

/// Whatever becomes of a file: what is said at these moments, in this order.
class ReplayCheckpointsTest : public ReplayPlayerTest {
protected:
  std::vector<std::string> saidOnTheWay() {
    const Moment begin = m_player->replay().clock().monotonic;
    std::vector<std::string> all;
    for (const Nanoseconds moment : {60'000ms, 5'000ms, 33'300ms, 20'100ms, 25'000ms, 100ms, 59'900ms}) {
      obey({.seek = begin + moment});
      all.push_back(said());
    }
    return all;
  }
  void expectTheSame(const std::filesystem::path& path, std::size_t atLeast, std::size_t spacing = 10) {
    open(path);
    const std::vector<std::string> without = saidOnTheWay();
    openWithCheckpoints(path, spacing);
    EXPECT_GE(m_checkpoints->size(), atLeast);
    EXPECT_EQ(saidOnTheWay(), without);
  }
};

TEST_F(ReplayCheckpointsTest, SayTheSameAsReadingFromTheBegin) {
  expectTheSame(m_file.path(), 40);
}

TEST_F(ReplayCheckpointsTest, SayTheSameOfADamagedRecording) {
  std::fstream stream(m_file.path(), std::ios::in | std::ios::out | std::ios::binary);
  stream.seekp(static_cast<std::streamoff>(std::filesystem::file_size(m_file.path()) / 3));
  stream.write("\0\1\2\3\4\5\6\7", 8);
  stream.close();
  expectTheSame(m_file.path(), 30);
}

TEST_F(ReplayCheckpointsTest, SayTheSameOfARing) {
  const Ring ring;
  expectTheSame(ring.path(), 20);
}

TEST_F(ReplayCheckpointsTest, SayTheSameOfRecordingsOfBefore) {
  expectTheSame(test::testData() / "recordings" / "version1.tcpscope", 0);
  expectTheSame(test::testData() / "recordings" / "version1-frames.tcpscope", 1, 1);
}

TEST_F(ReplayCheckpointsTest, OfAnotherRecordingAreNotUsed) {
  const Ring other;
  obey({.seek = test::writtenBegin() + 58s});
  const std::string at58 = said();
  openWithCheckpoints(other.path(), 10);
  ASSERT_NE(m_checkpoints->latest(test::writtenBegin() + 58s), nullptr);
  obey({.seek = test::writtenBegin() + 58s});
  ASSERT_NE(said(), at58) << "what was before is not known to the other one";
  const auto ofOther = m_checkpoints;
  open();
  m_player->useCheckpoints(ofOther);
  obey({.seek = test::writtenBegin() + 58s});
  EXPECT_EQ(said(), at58);
}

TEST_F(ReplayCheckpointsTest, AreFewerWhereThereWouldBeTooMany) {
  openWithCheckpoints(m_file.path(), 1);
  EXPECT_LE(m_checkpoints->size(), ReplayCheckpoints::kMost);
  EXPECT_GE(m_checkpoints->size(), ReplayCheckpoints::kMost / 4);
  EXPECT_GT(m_checkpoints->spacing(), 1U);
  const std::vector<std::string> with = saidOnTheWay();
  open();
  EXPECT_EQ(saidOnTheWay(), with);
}

TEST_F(ReplayCheckpointsTest, EndWhereHistoriesTakeTooMuch) {
  const std::filesystem::path path = m_file.path();
  auto twin = Replay::open({&path, 1}, {}, PlaceId{0});
  ASSERT_TRUE(twin.has_value());
  ReplayCheckpoints few(10);
  leaveCheckpoints(**twin, few, 1, {});
  openWithCheckpoints(path, 10);
  EXPECT_GT(few.size(), 0U);
  EXPECT_LT(few.size(), m_checkpoints->size());
}

TEST_F(ReplayCheckpointsTest, LeadBackWithoutReadingEverythingAgain) {
  openWithCheckpoints(m_file.path(), 10);
  m_player->obey({.seek = test::writtenBegin() + 50s});
  EXPECT_GT(m_player->replay().upTo(), test::writtenBegin() + 48s) << "there before anything was read";
}

/// A batch of a course, and where the course was before it.
struct CourseStep {
  std::vector<std::byte> batch;
  std::optional<CoursePosition> before;
};

std::vector<CourseStep> stepsOf(RecordingCourse& course) {
  std::vector<CourseStep> steps;
  while (course.next()) {
    CourseStep step;
    step.before = course.position();
    TraceWriter writer(step.batch);
    writer.write(course.take());
    steps.push_back(std::move(step));
  }
  return steps;
}

/// Whoever comes back reads what whoever stayed did.
void expectExactPositions(const std::filesystem::path& path, std::size_t atLeast) {
  auto stayed = RecordingCourse::open(path, PlaceId{0});
  auto back = RecordingCourse::open(path, PlaceId{0});
  ASSERT_TRUE(stayed && back);
  const std::vector<CourseStep> steps = stepsOf(*stayed);
  std::size_t positions = 0;
  for (std::size_t at = 0; at < steps.size(); at += 7) {
    if (!steps[at].before) continue;
    ++positions;
    ASSERT_TRUE(back->goTo(*steps[at].before)) << at;
    const std::vector<CourseStep> rest = stepsOf(*back);
    ASSERT_EQ(rest.size(), steps.size() - at) << at;
    for (std::size_t step = 0; step < rest.size(); ++step) ASSERT_EQ(rest[step].batch, steps[at + step].batch) << at;
  }
  EXPECT_GE(positions, atLeast);
  const auto atEnd = stayed->position();
  ASSERT_TRUE(atEnd);
  ASSERT_TRUE(back->goTo(*atEnd));
  EXPECT_FALSE(back->next());
}

TEST_F(ReplayPlayerTest, PositionsInARecordingAreExact) {
  expectExactPositions(m_file.path(), 50);
  expectExactPositions(Ring().path(), 30);
  expectExactPositions(test::testData() / "recordings" / "version1-frames.tcpscope", 1);
}

TEST_F(ReplayPlayerTest, PositionsInADamagedRecordingAreExact) {
  std::fstream stream(m_file.path(), std::ios::in | std::ios::out | std::ios::binary);
  stream.seekp(static_cast<std::streamoff>(std::filesystem::file_size(m_file.path()) / 3));
  stream.write("\0\1\2\3\4\5\6\7", 8);
  stream.close();
  expectExactPositions(m_file.path(), 30);
  std::filesystem::resize_file(m_file.path(), std::filesystem::file_size(m_file.path()) * 2 / 3);
  expectExactPositions(m_file.path(), 30);
}

TEST_F(ReplayPlayerTest, EndedConnectionsThatNobodyWantsAreThereAgainForWhoeverWantsThem) {
  SessionControl control;
  control.keepClosed = false;
  obey({.seek = test::writtenBegin() + 50s, .control = control});
  EXPECT_EQ(rows(), 2U);
  obey({.control = SessionControl()});
  EXPECT_EQ(rows(), 3U);
}

TEST_F(ReplayPlayerTest, WhatIsOrderedIsShownSoonHoweverLongTheLastPictureTook) {
  obey({.seek = test::writtenBegin() + 50s});
  m_player->obey({.motion = ReplayMotion::backwards});
  // Each look at the clock finds a second gone: reading is slow.
  m_takesASecond = true;
  for (int step = 0; step < 20; ++step) this->step();
  m_takesASecond = false;
  m_player->obey({.seek = test::writtenBegin() + 20s, .motion = ReplayMotion::stands});
  const int before = m_pictures;
  pass(100ms);
  EXPECT_GT(m_pictures, before);
  EXPECT_EQ(m_picture->time, test::writtenBegin() + 20s);
}

TEST_F(ReplayPlayerTest, PlaysBackwards) {
  obey({.seek = test::writtenBegin() + 50s});
  m_player->obey({.motion = ReplayMotion::backwards, .speed = ReplaySpeed{4.0}});
  const int before = m_pictures;
  pass(5s);
  EXPECT_EQ(m_player->position().motion, ReplayMotion::backwards);
  EXPECT_FALSE(m_player->position().isSeeking);
  EXPECT_NEAR(toSeconds(position()), 30.0, 0.3);
  EXPECT_GE(m_pictures - before, 20);
  EXPECT_LE(m_pictures - before, 130);
  EXPECT_NEAR(toSeconds(m_picture->time - test::writtenBegin()), 30.0, 0.3);
  obey({.motion = ReplayMotion::stands});
  EXPECT_EQ(m_picture->time, m_player->position().at);
  const Moment stood = m_player->position().at;
  const std::string backwards = said();
  open();
  obey({.seek = stood});
  EXPECT_EQ(said(), backwards);
}

TEST_F(ReplayPlayerTest, StandsAtTheBeginWhenItCameBack) {
  obey({.seek = test::writtenBegin() + 3s});
  m_player->obey({.motion = ReplayMotion::backwards});
  pass(5s);
  EXPECT_EQ(position(), 0s);
  EXPECT_EQ(m_player->position().motion, ReplayMotion::stands);
  EXPECT_FALSE(m_player->nextStep());
  EXPECT_EQ(m_picture->time, test::writtenBegin());
}

TEST_F(ReplayPlayerTest, TurnsAround) {
  m_player->obey({.motion = ReplayMotion::forwards});
  pass(20s);
  m_player->obey({.motion = ReplayMotion::backwards});
  pass(10s);
  EXPECT_NEAR(toSeconds(position()), 10.0, 0.2);
  m_player->obey({.motion = ReplayMotion::forwards});
  pass(5s);
  EXPECT_NEAR(toSeconds(position()), 15.0, 0.3);
  EXPECT_LE(m_picture->time, m_player->position().at);
}

TEST_F(ReplayPlayerTest, GoesBackFromTheEndToo) {
  obey({.motion = ReplayMotion::forwards, .speed = ReplaySpeed{kAsFastAsItGoes}});
  ASSERT_EQ(position(), test::kWrittenSpan);
  m_player->obey({.motion = ReplayMotion::backwards});
  pass(500ms);
  EXPECT_NEAR(toSeconds(position()), 30.0, 3.0) << "sixty times as fast";
  m_player->obey({.seek = test::writtenBegin() + 20s});
  EXPECT_EQ(position(), 20s);
  pass(100ms);
  EXPECT_NEAR(toSeconds(position()), 14.0, 3.0) << "it goes on back from there";
}

TEST(RecordingSurvey, KnowsTheEndAndWhatWasChanged) {
  const test::TemporaryFile file("");
  const test::WrittenMinute written(file.path());
  auto course = RecordingCourse::open(file.path(), PlaceId{0});
  ASSERT_TRUE(course.has_value());
  const RecordingSurvey found = survey(*course, {});
  EXPECT_EQ(found.end, test::writtenBegin() + test::kWrittenSpan);
  ASSERT_EQ(found.marks.size(), 1U);
  EXPECT_EQ(found.marks[0].time, test::writtenBegin() + test::kWrittenChangeAt);
}

TEST(RecordingSurvey, OfSeveralEndsWhereTheLastDoes) {
  ChangeMark early;
  early.time = Moment::fromNanoseconds(1);
  ChangeMark late;
  late.time = Moment::fromNanoseconds(2);
  const RecordingSurvey all = together({Moment::fromNanoseconds(9), {late}}, {Moment::fromNanoseconds(5), {early}});
  EXPECT_EQ(all.end, Moment::fromNanoseconds(9));
  EXPECT_EQ(all.marks, (std::vector<ChangeMark>{early, late}));
}

}  // namespace
}  // namespace tcpscope
