// Each mode of the list, live, capture and recording, has columns and an order of its own.
#include "ui/views/connection_list/list_mode.h"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QEnterEvent>
#include <QHeaderView>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include "tests/ui/support/recording_port.h"
#include "tests/ui/support/snapshot_drawing.h"
#include "ui/views/connection_list/connection_list_view.h"

namespace tcpscope {
namespace {

SnapshotPointer snapshotIn(ListMode mode) {
  auto snapshot = std::make_shared<SessionSnapshot>(*test::snapshotOf({{1}, {2}}));
  Place place;
  if (mode != ListMode::live) place.recording = UntrustedText("a file");
  place.isCapture = mode == ListMode::capture;
  snapshot->places = {place};
  return snapshot;
}

class ListModeTest : public testing::Test {
protected:
  /// A list in a window of its own.
  struct Shown {
    explicit Shown(int width = 2400) {
      view.resize(width, 400);
      view.show();
    }
    void show(ListMode mode) { view.setSnapshot(snapshotIn(mode)); }
    [[nodiscard]] ConnectionTableView& table() { return *view.findChild<ConnectionTableView*>(); }
    [[nodiscard]] bool has(ConnectionColumn column) { return !table().isColumnHidden(static_cast<int>(column)); }
    [[nodiscard]] int width(ConnectionColumn column) { return table().columnWidth(static_cast<int>(column)); }
    void setWidth(ConnectionColumn column, int width) { table().setColumnWidth(static_cast<int>(column), width); }

    test::RecordingPort port;
    Selection selection;
    ControlState control{port};
    ConnectionListView view{ViewContext{selection, control}};
  };

  QTemporaryDir m_folder;
  QSettings m_settings{m_folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat};
};

TEST_F(ListModeTest, ACaptureTakesNoColumnsFromTheLiveList) {
  Shown list;
  list.show(ListMode::live);
  const QByteArray before = list.table().saveColumns(ListMode::live);
  list.show(ListMode::capture);
  EXPECT_FALSE(list.has(ConnectionColumn::process));
  EXPECT_TRUE(list.has(ConnectionColumn::local));
  EXPECT_TRUE(list.has(ConnectionColumn::remote));
  EXPECT_TRUE(list.has(ConnectionColumn::sentBytes));
  list.show(ListMode::live);
  for (const ConnectionColumn column : {ConnectionColumn::process, ConnectionColumn::local, ConnectionColumn::trend})
    EXPECT_TRUE(list.has(column));
  EXPECT_FALSE(list.has(ConnectionColumn::sentBytes));
  EXPECT_EQ(list.table().saveColumns(ListMode::live), before);
}

TEST_F(ListModeTest, WhatIsChosenInOneModeStaysThere) {
  Shown list;
  list.show(ListMode::capture);
  list.table().setColumnWanted(static_cast<int>(ConnectionColumn::process), true);
  list.table().setColumnWanted(static_cast<int>(ConnectionColumn::rtt), false);
  list.setWidth(ConnectionColumn::remote, 333);
  list.show(ListMode::live);
  EXPECT_TRUE(list.has(ConnectionColumn::rtt));
  EXPECT_NE(list.width(ConnectionColumn::remote), 333);
  list.show(ListMode::recording);
  EXPECT_TRUE(list.has(ConnectionColumn::rtt));
  list.show(ListMode::capture);
  EXPECT_TRUE(list.has(ConnectionColumn::process));
  EXPECT_FALSE(list.has(ConnectionColumn::rtt));
  EXPECT_EQ(list.width(ConnectionColumn::remote), 333);
}

TEST_F(ListModeTest, CapturesShowBothEndsInANarrowWindow) {
  Shown list(900);
  list.show(ListMode::capture);
  EXPECT_TRUE(list.has(ConnectionColumn::local));
  EXPECT_TRUE(list.has(ConnectionColumn::remote));
  EXPECT_TRUE(list.has(ConnectionColumn::verdict));
  EXPECT_FALSE(list.has(ConnectionColumn::state));
}

TEST_F(ListModeTest, CapturesShowWholeAddressesWithTheirPorts) {
  Shown list;
  list.show(ListMode::capture);
  const int needed = list.table().fontMetrics().horizontalAdvance(QStringLiteral("141.142.220.235:50003"));
  EXPECT_GT(list.width(ConnectionColumn::local), needed);
  EXPECT_GT(list.width(ConnectionColumn::remote), needed);
}

TEST_F(ListModeTest, CapturesBeginWithTheWorstAndTheLiveListKeepsItsOrder) {
  Shown list;
  list.show(ListMode::live);
  list.control.setSort(SortKey::rtt, false);
  list.show(ListMode::capture);
  EXPECT_EQ(list.control.value().sortKey, SortKey::worst);
  EXPECT_TRUE(list.control.value().sortDescending);
  const QHeaderView& header = *list.table().horizontalHeader();
  EXPECT_EQ(header.sortIndicatorSection(), static_cast<int>(ConnectionColumn::verdict));
  list.control.setSort(SortKey::sentBytes, true);
  list.show(ListMode::live);
  EXPECT_EQ(list.control.value().sortKey, SortKey::rtt);
  EXPECT_FALSE(list.control.value().sortDescending);
  EXPECT_EQ(header.sortIndicatorSection(), static_cast<int>(ConnectionColumn::rtt));
  list.show(ListMode::capture);
  EXPECT_EQ(list.control.value().sortKey, SortKey::sentBytes);
}

TEST_F(ListModeTest, SettingsKeepEveryMode) {
  {
    Shown list;
    list.show(ListMode::capture);
    list.table().setColumnWanted(static_cast<int>(ConnectionColumn::rtt), false);
    list.control.setSort(SortKey::duration, true);
    list.show(ListMode::live);
    list.table().setColumnWanted(static_cast<int>(ConnectionColumn::state), false);
    list.control.setSort(SortKey::retransmitted, true);
    list.view.saveSettings(m_settings);
  }
  Shown list;
  list.view.restoreSettings(m_settings);
  list.show(ListMode::live);
  EXPECT_FALSE(list.has(ConnectionColumn::state));
  EXPECT_TRUE(list.has(ConnectionColumn::rtt));
  EXPECT_EQ(list.control.value().sortKey, SortKey::retransmitted);
  list.show(ListMode::capture);
  EXPECT_FALSE(list.has(ConnectionColumn::rtt));
  EXPECT_EQ(list.control.value().sortKey, SortKey::duration);
}

TEST_F(ListModeTest, OldSettingsAreThoseOfTheLiveListOnce) {
  {
    Shown list;
    list.table().setColumnWanted(static_cast<int>(ConnectionColumn::state), false);
    m_settings.setValue("list/header", list.table().saveColumns(ListMode::live));
    m_settings.setValue("list/sortKey", static_cast<int>(SortKey::rtt));
    m_settings.setValue("list/sortDescending", false);
  }
  Shown list;
  list.view.restoreSettings(m_settings);
  list.show(ListMode::live);
  EXPECT_FALSE(list.has(ConnectionColumn::state));
  EXPECT_EQ(list.control.value().sortKey, SortKey::rtt);
  list.show(ListMode::capture);
  EXPECT_EQ(list.control.value().sortKey, SortKey::worst);
  list.view.saveSettings(m_settings);
  EXPECT_FALSE(m_settings.contains("list/header"));
  EXPECT_FALSE(m_settings.contains("list/sortKey"));
}

TEST_F(ListModeTest, TheLiveListBeginsWithTheVerdictThatNeedsMost) {
  Shown list;
  list.show(ListMode::live);
  EXPECT_EQ(list.control.value().sortKey, SortKey::verdict);
  EXPECT_TRUE(list.control.value().sortDescending);
  list.control.setSort(SortKey::rtt, true);
  emit list.table().horizontalHeader()->sectionClicked(static_cast<int>(ConnectionColumn::verdict));
  EXPECT_EQ(list.control.value().sortKey, SortKey::verdict);
  EXPECT_TRUE(list.control.value().sortDescending);
}

TEST_F(ListModeTest, RowsKeepTheirPlacesWhileThePointerIsOverThem) {
  Shown list;
  list.show(ListMode::live);
  EXPECT_FALSE(list.control.value().keepsOrder);
  QEnterEvent enter(QPointF(5, 5), QPointF(5, 5), QPointF(5, 5));
  QCoreApplication::sendEvent(list.table().viewport(), &enter);
  EXPECT_TRUE(list.control.value().keepsOrder);
  QEvent leave(QEvent::Leave);
  QCoreApplication::sendEvent(list.table().viewport(), &leave);
  EXPECT_FALSE(list.control.value().keepsOrder);
}

TEST_F(ListModeTest, RowsKeepTheirPlacesForAWhileAfterAKey) {
  Shown list;
  list.show(ListMode::live);
  QTest::keyClick(&list.table(), Qt::Key_Down);
  EXPECT_TRUE(list.control.value().keepsOrder);
}

TEST_F(ListModeTest, AClickOnTheVerdictOfACaptureSortsBySeverity) {
  Shown list;
  list.show(ListMode::capture);
  list.control.setSort(SortKey::rtt, true);
  emit list.table().horizontalHeader()->sectionClicked(static_cast<int>(ConnectionColumn::verdict));
  EXPECT_EQ(list.control.value().sortKey, SortKey::worst);
  EXPECT_TRUE(list.control.value().sortDescending);
}

}  // namespace
}  // namespace tcpscope
