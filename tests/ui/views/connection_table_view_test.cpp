#include "ui/views/connection_list/connection_table_view.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QKeyEvent>
#include <QSignalSpy>
#include <algorithm>
#include <cstdio>
#include <ctime>

#include "tests/ui/support/snapshot_drawing.h"

namespace tcpscope {
namespace {

using test::DrawnRow;
using test::snapshotOf;

ConnectionId id(std::uint64_t cookie) {
  return {PlaceId{0}, cookie};
}

TEST(ConnectionTableView, KeepsTheCurrentRowOnItsConnectionWhileRowsMove) {
  ConnectionTableView table;
  table.setSnapshot(snapshotOf({{1}, {2}, {3}}));
  table.setCurrentIndex(table.model()->index(0, 0));
  const QSignalSpy chosen(&table, &ConnectionTableView::connectionChosen);
  table.setSnapshot(snapshotOf({{3}, {2}, {1}}));
  EXPECT_EQ(table.currentIndex().row(), 2);
  EXPECT_EQ(chosen.count(), 0) << "no other connection was chosen";
}

TEST(ConnectionTableView, FollowsWhatWasSelectedForTheUserUntilTheListIsUsed) {
  // The connections 1,000 to 1,199 between one that comes first and one that comes last.
  const auto drawn = [](std::uint64_t first, std::uint64_t last) {
    std::vector<DrawnRow> rows = {{first}};
    for (std::uint64_t cookie = 1'000; cookie < 1'200; ++cookie) rows.push_back({cookie});
    rows.push_back({last});
    return snapshotOf(rows);
  };
  ConnectionTableView table;
  table.resize(800, 200);
  table.show();
  const auto isInSight = [&table] {
    return table.viewport()->rect().contains(table.visualRect(table.currentIndex()).center());
  };
  table.setSnapshot(snapshotOf({{1}}));
  table.showCurrent(id(1));
  table.setSnapshot(drawn(2, 1));
  EXPECT_TRUE(isInSight()) << "such as the row that a filter found, once the filter has gone";

  QKeyEvent key(QEvent::KeyPress, Qt::Key_Home, Qt::ControlModifier);
  QApplication::sendEvent(&table, &key);
  EXPECT_EQ(table.currentIndex().row(), 0);
  table.setSnapshot(drawn(1, 2));
  EXPECT_FALSE(isInSight()) << "the list stays where the user reads";
}

TEST(ConnectionTableView, HidesColumnsInFavourOfTheVerdictInANarrowWindow) {
  ConnectionTableView table;
  table.resize(1600, 300);
  table.show();
  const auto isShown = [&](ConnectionColumn column) { return !table.isColumnHidden(static_cast<int>(column)); };
  EXPECT_TRUE(isShown(ConnectionColumn::local));
  table.resize(760, 300);
  EXPECT_FALSE(isShown(ConnectionColumn::local));
  EXPECT_TRUE(isShown(ConnectionColumn::verdict));
  const QByteArray narrow = table.saveColumns(ListMode::live);
  table.resize(1600, 300);
  EXPECT_TRUE(isShown(ConnectionColumn::local));

  ConnectionTableView other;
  other.resize(1600, 300);
  other.show();
  other.restoreColumns(ListMode::live, narrow);
  EXPECT_FALSE(other.isColumnHidden(static_cast<int>(ConnectionColumn::local)))
      << "it was hidden only for lack of space";
}

TEST(ConnectionTableView, NamesPlacesOnceThereAreSeveral) {
  ConnectionTableView table;
  table.resize(1600, 300);
  const int place = static_cast<int>(ConnectionColumn::place);
  auto snapshot = std::make_shared<SessionSnapshot>(*snapshotOf({{1}}));
  snapshot->places.resize(1);
  table.setSnapshot(snapshot);
  EXPECT_TRUE(table.isColumnHidden(place));
  auto withAnother = std::make_shared<SessionSnapshot>(*snapshot);
  withAnother->places.resize(2);
  table.setSnapshot(withAnother);
  EXPECT_FALSE(table.isColumnHidden(place));
  table.setSnapshot(snapshot);
  EXPECT_TRUE(table.isColumnHidden(place));
}

TEST(ConnectionTableView, AColumnThatTheUserChoseStaysVisible) {
  ConnectionTableView table;
  table.resize(760, 300);
  table.show();
  table.setColumnWanted(static_cast<int>(ConnectionColumn::local), true);
  table.resize(700, 300);
  EXPECT_FALSE(table.isColumnHidden(static_cast<int>(ConnectionColumn::local)));
}

TEST(ConnectionTableView, SelectsNothingWhenTheConnectionIsFilteredOutAndFindsItAgain) {
  ConnectionTableView table;
  table.setSnapshot(snapshotOf({{1}, {2}}));
  table.showCurrent(id(2));
  table.setSnapshot(snapshotOf({{1}}));
  EXPECT_FALSE(table.selectionModel()->hasSelection());
  table.setSnapshot(snapshotOf({{1}, {2}}));
  EXPECT_EQ(table.currentIndex().row(), 1);
}

double threadCpuMilliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

TEST(ConnectionTableView, PrintsTheCpuTimeOfAnUpdateWithFiftyThousandRowsThatAllMoved) {
  std::vector<DrawnRow> rows;
  for (std::uint64_t cookie = 1; cookie <= 50'000; ++cookie) rows.push_back({cookie, 1e6F});
  const auto upwards = snapshotOf(rows);
  std::reverse(rows.begin(), rows.end());
  const auto downwards = snapshotOf(rows);
  ConnectionTableView table;
  table.resize(1280, 400);
  table.show();
  table.setSnapshot(upwards);
  table.showCurrent(id(40'000));
  QApplication::processEvents();
  std::vector<double> spent;
  for (int update = 0; update < 100; ++update) {
    const double before = threadCpuMilliseconds();
    table.setSnapshot(update % 2 == 0 ? downwards : upwards);
    QApplication::processEvents();
    spent.push_back(threadCpuMilliseconds() - before);
  }
  std::sort(spent.begin(), spent.end());
  RecordProperty("median_ms", std::to_string(spent[50]));
  RecordProperty("largest_ms", std::to_string(spent.back()));
  std::printf("update of 50,000 rows: median %.2f ms, largest %.2f ms of CPU\n", spent[50], spent.back());
  EXPECT_EQ(table.model()->rowCount(), 50'000);
  EXPECT_EQ(table.connections().connectionAt(table.currentIndex().row())->cookie, 40'000U);
}

}  // namespace
}  // namespace tcpscope
