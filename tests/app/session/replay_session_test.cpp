// A replay with its threads: orders take effect, and the caller sees so at once.
#include "app/session/replay_session.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/support/json_schema.h"
#include "tests/support/session_watch.h"
#include "tests/support/written_recording.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;

class ReplaySessionTest : public testing::Test {
protected:
  void SetUp() override {
    auto session = openReplay(m_file.path(), {});
    ASSERT_TRUE(session.has_value());
    m_session = std::move(*session);
    m_session->pause();
  }
  [[nodiscard]] std::shared_ptr<const SessionSnapshot> pictureOf(Nanoseconds sinceBegin) const {
    return test::waitForSnapshot(
        *m_session, [&](const SessionSnapshot& picture) { return picture.time == test::writtenBegin() + sinceBegin; });
  }

  const test::TemporaryFile m_file{""};
  const test::WrittenMinute m_written{m_file.path()};
  std::unique_ptr<ReplaySession> m_session;
};

TEST_F(ReplaySessionTest, GoesToAMomentAndBack) {
  m_session->seek(test::writtenBegin() + 50s);
  EXPECT_EQ(m_session->position().at, test::writtenBegin() + 50s) << "the caller sees it at once";
  ASSERT_NE(pictureOf(50s), nullptr);
  EXPECT_EQ(pictureOf(50s)->order->size(), 3U);
  m_session->seek(test::writtenBegin() + 5s);
  ASSERT_NE(pictureOf(5s), nullptr);
  EXPECT_EQ(pictureOf(5s)->order->size(), 2U);
  EXPECT_EQ(m_session->position().motion, ReplayMotion::stands);
}

// At the speed of the recording its end is half a minute away: the motion cannot be over before it is read.
TEST_F(ReplaySessionTest, SaysAtOnceWhichWayItPlays) {
  m_session->seek(test::writtenBegin() + 30s);
  m_session->play();
  EXPECT_EQ(m_session->position().motion, ReplayMotion::forwards);
  m_session->playBack();
  EXPECT_EQ(m_session->position().motion, ReplayMotion::backwards);
}

TEST_F(ReplaySessionTest, PlaysToTheEndAndStandsThere) {
  m_session->setSpeed({std::nullopt});
  m_session->play();
  ASSERT_NE(pictureOf(test::kWrittenSpan), nullptr);
  EXPECT_TRUE(test::waitForSnapshot(*m_session,
                                    [&](const auto&) { return m_session->position().motion == ReplayMotion::stands; }));
  EXPECT_EQ(m_session->position().at, test::writtenBegin() + test::kWrittenSpan);
}

TEST_F(ReplaySessionTest, PlaysBackToTheBeginAndStandsThere) {
  m_session->seek(test::writtenBegin() + 50s);
  ASSERT_NE(pictureOf(50s), nullptr);
  m_session->setSpeed({60.0});
  m_session->playBack();
  ASSERT_NE(pictureOf(0s), nullptr);
  EXPECT_TRUE(test::waitForSnapshot(*m_session,
                                    [&](const auto&) { return m_session->position().motion == ReplayMotion::stands; }));
}

TEST_F(ReplaySessionTest, ComesBackToCheckpointsThatAreLeftMeanwhile) {
  const std::filesystem::path path = m_file.path();
  auto session = ReplaySession::open({&path, 1}, {}, PlaceId{0}, 1);
  ASSERT_TRUE(session.has_value());
  m_session = std::move(*session);
  m_session->pause();
  const ReplayCheckpoints& checkpoints = m_session->checkpoints();
  for (int way = 0; way < 3; ++way) {
    for (const auto moment : {50s, 5s, 33s}) {
      m_session->seek(test::writtenBegin() + moment);
      ASSERT_NE(pictureOf(moment), nullptr);
      EXPECT_EQ(pictureOf(moment)->order->size(), moment < 10s ? 2U : 3U);
    }
  }
  EXPECT_TRUE(test::waitForSnapshot(*m_session, [&](const auto&) { return checkpoints.spacing() > 8; }));
  EXPECT_LE(checkpoints.size(), ReplayCheckpoints::kMost);
  m_session->setSpeed({60.0});
  m_session->playBack();
  ASSERT_NE(pictureOf(0s), nullptr);
}

TEST_F(ReplaySessionTest, FindsOutWhatLiesAhead) {
  ASSERT_TRUE(test::waitForSnapshot(*m_session, [&](const auto&) { return m_session->survey() != nullptr; }));
  EXPECT_EQ(m_session->survey()->end, test::writtenBegin() + test::kWrittenSpan);
  EXPECT_EQ(m_session->survey()->marks.size(), 1U);
}

TEST_F(ReplaySessionTest, EndsInTheMiddleOfAnything) {
  m_session->play();
  m_session->seek(test::writtenBegin() + 50s);
  m_session.reset();
}

TEST_F(ReplaySessionTest, WhatComesThroughAPipePlaysOnce) {
  const test::TemporaryFile pipe("");
  std::filesystem::remove(pipe.path());
  ASSERT_EQ(mkfifo(std::string(pipe.path()).c_str(), 0600), 0);
  const std::jthread writer([&] {
    const std::ifstream from(m_file.path(), std::ios::binary);
    std::ofstream(pipe.path(), std::ios::binary) << from.rdbuf();
  });
  auto session = openReplay(pipe.path(), {});
  ASSERT_TRUE(session.has_value());
  m_session = std::move(*session);
  m_session->setSpeed({std::nullopt});
  ASSERT_NE(pictureOf(test::kWrittenSpan), nullptr);
  // What was before is gone: it stays where it is.
  m_session->seek(test::writtenBegin());
  EXPECT_TRUE(test::waitForSnapshot(*m_session, [&](const auto&) { return !m_session->position().isSeeking; }));
  EXPECT_EQ(m_session->position().at, test::writtenBegin() + test::kWrittenSpan);
  EXPECT_EQ(m_session->survey(), nullptr);
  m_session->playBack();
  m_session->seek(test::writtenBegin());
  EXPECT_TRUE(test::waitForSnapshot(*m_session, [&](const auto&) { return !m_session->position().isSeeking; }));
  EXPECT_EQ(m_session->position().at, test::writtenBegin() + test::kWrittenSpan);
}

TEST(ReplaySession, WhatIsNoRecordingIsRefused) {
  const test::TemporaryFile file("127.0.0.1 is no recording");
  const auto session = openReplay(file.path(), {});
  ASSERT_FALSE(session.has_value());
  EXPECT_EQ(session.error().attempt, SystemAttempt::readRecording);
}

}  // namespace
}  // namespace tcpscope
