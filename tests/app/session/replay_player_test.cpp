// A recording as it is played: what is seen of a moment does not depend on how it was reached.
#include "app/session/replay_player.h"

#include <limits>

#include "tests/app/session/played_recording.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;

constexpr std::optional<double> kAsFastAsItGoes = std::nullopt;

class ReplayPlayerTest : public test::PlayedRecording {};

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
  EXPECT_EQ(rows(), 2U) << "the third connection does not exist yet";
  obey({.seek = test::writtenBegin() + 15s});
  EXPECT_EQ(said(), at15);
  EXPECT_EQ(m_picture->details.begin()->second->history.lastTime(), test::writtenBegin() + 15s);
  obey({.seek = test::writtenBegin() + 50s});
  EXPECT_EQ(said(), at50);
}

TEST_F(ReplayPlayerTest, ShowsTheVerdictOfTheMoment) {
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

TEST_F(ReplayPlayerTest, ShowsASelectionWhilePaused) {
  obey({.seek = test::writtenBegin() + 12s});
  SessionControl control;
  control.focus = ConnectionId{PlaceId{0}, 3};
  obey({.control = control});
  ASSERT_TRUE(m_picture->details.contains(*control.focus));
  EXPECT_EQ(m_picture->details.at(*control.focus)->history.sampleCount(), 3U);
  EXPECT_EQ(m_picture->time, test::writtenBegin() + 12s);
}

TEST_F(ReplayPlayerTest, StopsAtTheEndAndRestartsFromTheBeginning) {
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

TEST_F(ReplayPlayerTest, PlaysOnAfterASeek) {
  m_player->obey({.motion = ReplayMotion::forwards});
  pass(5s);
  m_player->obey({.seek = test::writtenBegin() + 30s});
  EXPECT_TRUE(m_player->position().isSeeking);
  EXPECT_EQ(position(), 30s);
  pass(2s);
  EXPECT_FALSE(m_player->position().isSeeking);
  EXPECT_NEAR(toSeconds(position()), 32.0, 0.2);
}

TEST_F(ReplayPlayerTest, ANewerOrderReplacesThePendingOne) {
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
  test::damage(m_file.path());
  open();
  obey({.seek = test::writtenBegin() + 1h});
  EXPECT_FALSE(m_picture->gaps.empty());
  const std::string once = said();
  obey({.seek = test::writtenBegin()});
  obey({.seek = test::writtenBegin() + 1h});
  EXPECT_EQ(said(), once);
}

TEST_F(ReplayPlayerTest, OlderRecordingsSeekBackwardsToo) {
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

TEST_F(ReplayPlayerTest, HiddenClosedConnectionsReturnOnRequest) {
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
  EXPECT_LE(m_pictures - before, 5s / PublishPacer::kShortestGap + 1);
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

}  // namespace
}  // namespace tcpscope
