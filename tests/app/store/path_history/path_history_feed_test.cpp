// The way from a session into the history: gathered, written now and then, and at the end.
#include "app/store/path_history/path_history_feed.h"

#include <gtest/gtest.h>

#include "tests/app/store/path_history/history_folder.h"
#include "tests/support/path_sightings.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;
using test::sighted;

class PathHistoryFeedTest : public ::testing::Test {
protected:
  PathHistoryFeed::Settings settings() {
    Place place;
    place.bootId = "boot";
    return {m_folder.path(), place, [this] { return m_now; }};
  }
  [[nodiscard]] std::vector<PathEntry> read() const {
    const auto store = PathHistoryStore::openToRead(m_folder.path());
    return store && *store ? (*store)->entries().value() : std::vector<PathEntry>();
  }

  test::HistoryFolder m_folder;
  Moment m_now;
};

TEST_F(PathHistoryFeedTest, WritesAtTheEnd) {
  { PathHistoryFeed(settings()).take({sighted(1), sighted(2)}); }
  ASSERT_EQ(read().size(), 1U);
  EXPECT_EQ(read().front().connections, 2U);
}

TEST_F(PathHistoryFeedTest, WritesNowAndThenMeanwhile) {
  PathHistoryFeed feed(settings());
  feed.take({sighted(1)});
  EXPECT_EQ(feed.writings(), 0U);
  m_now = m_now + 31s;
  feed.take({sighted(2)});
  feed.finish();
  EXPECT_EQ(feed.writings(), 1U) << "nothing was left for the end";
  EXPECT_EQ(read().front().connections, 2U);
}

TEST_F(PathHistoryFeedTest, OfAConnectionTheNewestCountsWithAllItsLosses) {
  PathHistoryFeed feed(settings());
  PathSighting sighting = sighted(1);
  sighting.retransmitted = 2;
  sighting.lossEvents = 1;
  feed.take({sighting});
  sighting.retransmitted = 4;
  feed.take({sighting});
  feed.finish();
  EXPECT_EQ(read().front().lossEvents, 2U);
  EXPECT_EQ(read().front().retransmitted, 4U);
}

TEST_F(PathHistoryFeedTest, KeepsOtherPlacesOut) {
  PathSighting elsewhere = sighted(1);
  elsewhere.connection.place = PlaceId{7};
  PathHistoryFeed feed(settings());
  feed.take({elsewhere});
  feed.finish();
  EXPECT_FALSE(std::filesystem::exists(m_folder.path())) << "nothing to write makes no history";
}

TEST_F(PathHistoryFeedTest, SaysWhyNothingWasWrittenAndGoesOn) {
  std::filesystem::create_directories(m_folder.path());
  std::filesystem::permissions(m_folder.path(), std::filesystem::perms::all);
  PathHistoryFeed feed(settings());
  feed.take({sighted(1)});
  feed.finish();
  ASSERT_TRUE(feed.problem());
  EXPECT_EQ(feed.problem()->kind, PathHistoryErrorKind::notOpened);
  feed.take({sighted(2)});
}

TEST_F(PathHistoryFeedTest, TriesAgainWhatABusyDatabaseDidNotTake) {
  ASSERT_TRUE(PathHistoryStore::openToWrite(m_folder.path()));
  const auto other = SqliteDatabase::open(m_folder.file());
  ASSERT_TRUE(other && other->run("BEGIN EXCLUSIVE"));
  auto everything = settings();
  everything.writeEvery = 0s;
  {
    PathHistoryFeed feed(everything);
    while (!feed.problem()) feed.take({sighted(1)});
    EXPECT_EQ(feed.problem()->kind, PathHistoryErrorKind::busy);
    ASSERT_TRUE(other->run("COMMIT"));
  }
  ASSERT_EQ(read().size(), 1U);
  EXPECT_EQ(read().front().segments, 10'000U);
}

}  // namespace
}  // namespace tcpscope
