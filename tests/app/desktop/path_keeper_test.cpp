// The window's path history: what a session sees is returned to the views from the disk.
#include "app/desktop/path_keeper.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/app/desktop/demo_waiting.h"
#include "tests/app/store/path_history/history_folder.h"
#include "tests/support/path_sightings.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;
using test::sighted;

class PathKeeperTest : public testing::Test {
protected:
  /// Reads and writes whenever it can: the clock leaps with each poll.
  PathHistoryFeed::Settings settings() {
    Place place;
    place.bootId = "boot";
    place.networkNamespace = "4711";
    return {m_folder.path(), place, [this] { return m_now = m_now + 10s; }, 5s};
  }
  /// Asks as a view does until the state is as wanted.
  template <class Wanted>
  static bool reaches(PathKeeper& keeper, Wanted wanted) {
    return test::comesTrue([&] {
      const auto state = keeper.state();
      return state != nullptr && wanted(*state);
    });
  }

  test::HistoryFolder m_folder;
  Moment m_now;
};

TEST_F(PathKeeperTest, ShowsWhatTheSessionSaw) {
  PathKeeper keeper(settings(), 1s);
  EXPECT_TRUE(reaches(keeper, [](const PathHistoryState& state) { return state.entries.empty(); }));
  keeper.sink()({sighted(1)});
  keeper.sink()({sighted(2)});
  EXPECT_TRUE(reaches(keeper, [](const PathHistoryState& state) {
    const PathEntry* entry = state.find(test::path("198.51.100.0/24"));
    return entry != nullptr && entry->connections == 2 && state.problem.empty();
  }));
  EXPECT_FALSE(keeper.state()->settings.empty()) << "for what buffers may grow to";
}

TEST_F(PathKeeperTest, ForgetsAPath) {
  PathKeeper keeper(settings(), 1s);
  keeper.sink()({sighted(1)});
  keeper.sink()({sighted(1)});
  ASSERT_TRUE(reaches(keeper, [](const PathHistoryState& state) { return state.entries.size() == 1; }));
  keeper.forget(test::path("198.51.100.0/24"));
  EXPECT_TRUE(reaches(keeper, [](const PathHistoryState& state) { return state.entries.empty(); }));
}

TEST_F(PathKeeperTest, SaysWhyThereIsNoHistory) {
  std::filesystem::create_directories(m_folder.path());
  std::filesystem::permissions(m_folder.path(), std::filesystem::perms::owner_all);
  std::ofstream(m_folder.file()) << "SQLite format 3, or not";
  std::filesystem::permissions(m_folder.file(),
                               std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  PathKeeper keeper(settings(), 1s);
  EXPECT_TRUE(reaches(keeper, [](const PathHistoryState& state) { return !state.problem.empty(); }));
}

TEST_F(PathKeeperTest, IsOfItsOwnNetworkAlone) {
  const PathKeeper keeper(settings(), 1s);
  Place place;
  place.bootId = "boot";
  place.networkNamespace = "4711";
  EXPECT_TRUE(keeper.isOf(place));
  place.networkNamespace = "4712";
  EXPECT_FALSE(keeper.isOf(place));
}

TEST(PathKeeper, IsNoneWhereTheHistoryIsOff) {
  EXPECT_EQ(openPathKeeper(false), nullptr);
}

}  // namespace
}  // namespace tcpscope
