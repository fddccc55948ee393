// A replay restored from a checkpoint shows the same as one that read from the beginning.
#include "app/session/replay_checkpoints.h"

#include "tests/app/session/played_recording.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;

/// Whatever becomes of a file: what is said at these moments, in this order.
class ReplayCheckpointsTest : public test::PlayedRecording {
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
  test::damage(m_file.path());
  expectTheSame(m_file.path(), 30);
}

TEST_F(ReplayCheckpointsTest, SayTheSameOfARing) {
  const test::Ring ring;
  expectTheSame(ring.path(), 20);
}

TEST_F(ReplayCheckpointsTest, ReproduceOlderRecordings) {
  expectTheSame(test::testData() / "recordings" / "version1.tcpscope", 0);
  expectTheSame(test::testData() / "recordings" / "version1-frames.tcpscope", 1, 1);
}

TEST_F(ReplayCheckpointsTest, OfAnotherRecordingAreNotUsed) {
  const test::Ring other;
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
  ReplayCheckpoints few(10, {.historyBytes = 1});
  leaveCheckpoints(**twin, few, {});
  openWithCheckpoints(path, 10);
  EXPECT_GT(few.size(), 0U);
  EXPECT_LT(few.size(), m_checkpoints->size());
}

TEST_F(ReplayCheckpointsTest, LeadBackWithoutReadingEverythingAgain) {
  openWithCheckpoints(m_file.path(), 10);
  m_player->obey({.seek = test::writtenBegin() + 50s});
  EXPECT_GT(m_player->replay().upTo(), test::writtenBegin() + 48s) << "there before anything was read";
}

}  // namespace
}  // namespace tcpscope
