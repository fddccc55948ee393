#include "ui/models/connection_list_model.h"

#include <gtest/gtest.h>
#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <cmath>

#include "ui/text/plain_text.h"

#include "tests/ui/support/snapshot_drawing.h"

namespace tcpscope {
namespace {

using test::snapshotOf;

TEST(ConnectionListModel, KeepsTheRulesOfItemModelsWhileRowsComeAndGo) {
  ConnectionListModel model;
  QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  model.setSnapshot(snapshotOf({{1}, {2}, {3}}));
  EXPECT_EQ(model.rowCount(), 3);
  model.setSnapshot(snapshotOf({{3}}));
  EXPECT_EQ(model.rowCount(), 1);
  model.setSnapshot(snapshotOf({}));
  EXPECT_EQ(model.rowCount(), 0);
}

TEST(ConnectionListModel, SignalsOneChangeWhenTheSameNumberOfRowsIsReordered) {
  ConnectionListModel model;
  model.setSnapshot(snapshotOf({{1}, {2}}));
  const QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
  model.setSnapshot(snapshotOf({{2}, {1}}));
  EXPECT_EQ(changes.count(), 1);
  EXPECT_EQ(model.connectionAt(0)->cookie, 2U);
}

TEST(ConnectionListModel, PutsAHeadingBeforeEachGroup) {
  ConnectionListModel model;
  model.setSnapshot(snapshotOf({{1}, {2}, {3}}, {{"nginx", 2}, {"sshd", 1}}));
  ASSERT_EQ(model.rowCount(), 5);
  EXPECT_TRUE(model.headingText(0).startsWith("nginx"));
  EXPECT_EQ(model.connectionAt(1)->cookie, 1U);
  EXPECT_EQ(model.connectionAt(2)->cookie, 2U);
  EXPECT_TRUE(model.headingText(3).startsWith("sshd"));
  EXPECT_EQ(model.connectionAt(4)->cookie, 3U);
  EXPECT_EQ(model.rowOf({PlaceId{0}, 3}, 0), 4);
  EXPECT_FALSE(model.flags(model.index(3, 0)).testFlag(Qt::ItemIsSelectable));
}

TEST(ConnectionListModel, NamesThePlaceInTheHeadingOfItsRows) {
  auto snapshot = std::make_shared<SessionSnapshot>(*snapshotOf({{1}, {2}}, {{"", 2}}));
  Place server;
  server.host = UntrustedText("server");
  snapshot->places = {server};
  snapshot->grouping = Grouping::place;
  ConnectionListModel model;
  model.setSnapshot(snapshot);
  EXPECT_EQ(model.headingText(0), "server — 2 connections");
  const QModelIndex cell = model.index(1, static_cast<int>(ConnectionColumn::place));
  EXPECT_EQ(cell.data().toString(), "server");
}

TEST(ConnectionListModel, ShowsNoControlCharactersOfANameAndNoMarkup) {
  ConnectionListModel model;
  model.setSnapshot(snapshotOf({{1}}, {{"<b>ev\x1b[31mil", 1}}));
  EXPECT_FALSE(model.headingText(0).contains(QChar(0x1b)));
  EXPECT_EQ(toolTipText("<b>").contains("<b>"), false);
}

TEST(ConnectionListModel, SaysWhoTakesTheTimeOfExchanges) {
  ConnectionRow row;
  EXPECT_EQ(connectionToolTip(ConnectionColumn::exchanges, row, nullptr), "Requests and responses do not alternate");
  row.limit = Limit::application;
  row.cause = Cause::slowWriter;
  row.confidenceRatio = 1.0F;
  row.exchanges = {20, 20, 60, false};
  EXPECT_EQ(exchangesText(row), "this end 20.0 %, path 20.0 %, peer 60.0 %");
  EXPECT_EQ(connectionText(ConnectionColumn::verdict, row, nullptr).section(QLatin1Char(':'), 0, 0),
            "Application (peer 60.0 %)");
  // Of a capture, in which the local end is the client.
  row.exchanges.localIsClient = true;
  EXPECT_EQ(exchangesText(row), "client 20.0 %, path 20.0 %, server 60.0 %");
}

TEST(ConnectionListModel, ShowsUnknownValuesAsADash) {
  ConnectionListModel model;
  model.setSnapshot(snapshotOf({{1, std::nanf("")}}));
  const int column = static_cast<int>(ConnectionColumn::sendRate);
  EXPECT_EQ(model.index(0, column).data().toString(), QStringLiteral("–"));
}

}  // namespace
}  // namespace tcpscope
