// A recording that names many sockets in few bytes: what a replay keeps of it is in proportion to the file.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "app/session/replay.h"
#include "tests/support/json_schema.h"
#include "tests/support/many_sockets.h"

namespace tcpscope {
namespace {

constexpr std::size_t kSockets = 40'000;
/// Last samples and rows, whatever else is known of a connection.
constexpr std::size_t kTableBytes = 1024;

class ReplayMemory : public testing::Test {
protected:
  void SetUp() override {
    test::writeManySockets(m_file.path(), kSockets);
    const std::filesystem::path path = m_file.path();
    auto replay = Replay::open({&path, 1}, {}, PlaceId{0});
    ASSERT_TRUE(replay);
    m_replay = std::move(*replay);
    m_bytes = std::filesystem::file_size(path);
  }
  void readAll() {
    PublishPacer pacer(Milliseconds{0});
    ASSERT_TRUE(m_replay->readUntil(kNeverReached, SIZE_MAX, pacer));
  }

  const test::TemporaryFile m_file{""};
  std::unique_ptr<Replay> m_replay;
  std::uintmax_t m_bytes = 0;
};

TEST_F(ReplayMemory, OfDetailsIsInProportionToTheFile) {
  readAll();
  const CopyBytes kept = m_replay->session().copyBytes();
  EXPECT_LT(kept.own + kept.shared, (24U << 20) + 8 * m_bytes + kSockets * kTableBytes);
  const auto snapshot = m_replay->at(m_replay->upTo());
  EXPECT_EQ(snapshot->totalRows, kSockets) << "each is in the list";
  EXPECT_TRUE(std::any_of(snapshot->gaps.begin(), snapshot->gaps.end(), [](const CollectionGap& gap) {
    return gap.kind == GapKind::recordBudget && gap.count > 0;
  })) << "and what has no details is counted";
}

TEST_F(ReplayMemory, LimitsGrowWithTheFileUpToWhatIsAsked) {
  EXPECT_EQ(m_replay->inProportion(512U << 20), (24U << 20) + 8 * m_bytes);
  EXPECT_EQ(m_replay->inProportion(1U << 20), 1U << 20);
}

TEST_F(ReplayMemory, OfCheckpointsIsNotSpentWhereTwoWouldNotFit) {
  constexpr std::size_t kMostBytes = 32U << 20;
  ReplayCheckpoints checkpoints(1024, {.ownBytes = kMostBytes});
  leaveCheckpoints(*m_replay, checkpoints, {});
  EXPECT_LT(m_replay->session().copyBytes().own, kMostBytes) << "reading ahead ends there";
}

}  // namespace
}  // namespace tcpscope
