// Rows of a table as they are copied.
#include "ui/widgets/row_table.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QStandardItemModel>
#include <QTest>

namespace tcpscope {
namespace {

class RowTable : public testing::Test {
protected:
  RowTable() {
    m_model.setHorizontalHeaderLabels({QStringLiteral("Peer"), QStringLiteral("RTT"), QStringLiteral("Verdict")});
    add({QStringLiteral("192.0.2.1:443"), QStringLiteral("20 ms"), QStringLiteral("Network, loss")});
    add({QStringLiteral("192.0.2.2:443"), QStringLiteral("5 ms"), QStringLiteral("Idle")});
    m_table.setModel(&m_model);
    setUpRowTable(m_table, QStringLiteral("Connections"));
  }
  void add(const QStringList& cells) {
    QList<QStandardItem*> row;
    for (const QString& cell : cells) row << new QStandardItem(cell);
    m_model.appendRow(row);
  }

  QStandardItemModel m_model;
  QTableView m_table;
};

TEST_F(RowTable, CopiesTheSelectedRowInEveryFormat) {
  m_table.selectRow(0);
  EXPECT_EQ(rowsAs(RowFormat::text, m_table, rowsToCopy(m_table)),
            QStringLiteral("192.0.2.1:443\t20 ms\tNetwork, loss\n"));
  EXPECT_EQ(rowsAs(RowFormat::csv, m_table, rowsToCopy(m_table)),
            QStringLiteral("Peer,RTT,Verdict\r\n192.0.2.1:443,20 ms,\"Network, loss\"\r\n"));
  EXPECT_EQ(rowsAs(RowFormat::json, m_table, rowsToCopy(m_table)).simplified(),
            QStringLiteral("[ { \"Peer\": \"192.0.2.1:443\", \"RTT\": \"20 ms\", \"Verdict\": \"Network, loss\" } ]"));
}

TEST_F(RowTable, CopiesAllRowsWhileNoneIsSelected) {
  EXPECT_EQ(rowsAs(RowFormat::text, m_table, rowsToCopy(m_table)).count(QLatin1Char('\n')), 2);
}

TEST_F(RowTable, CopiesTheColumnsThatAreShownInTheirOrder) {
  m_table.setColumnHidden(1, true);
  m_table.horizontalHeader()->moveSection(2, 0);
  m_table.selectRow(1);
  EXPECT_EQ(rowsAs(RowFormat::text, m_table, rowsToCopy(m_table)), QStringLiteral("Idle\t192.0.2.2:443\n"));
}

TEST_F(RowTable, FillsTheClipboardFromItsContextMenu) {
  m_table.selectRow(1);
  for (QAction* action : m_table.actions()) {
    if (action->shortcut() == QKeySequence(QKeySequence::Copy)) action->trigger();
  }
  EXPECT_EQ(QGuiApplication::clipboard()->text(), QStringLiteral("192.0.2.2:443\t5 ms\tIdle\n"));
}

}  // namespace
}  // namespace tcpscope
