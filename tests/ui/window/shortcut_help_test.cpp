// The list of shortcuts has every action with a key.
#include "ui/window/shortcut_help.h"

#include <gtest/gtest.h>

#include <QMap>
#include <QMenuBar>
#include <QTreeWidget>

#include "tests/ui/support/recording_port.h"
#include "ui/window/main_window.h"

namespace tcpscope {
namespace {

QTreeWidgetItem* itemOf(const QTreeWidget& tree, const QString& menu) {
  for (int row = 0; row < tree.topLevelItemCount(); ++row) {
    if (tree.topLevelItem(row)->text(0) == menu) return tree.topLevelItem(row);
  }
  return nullptr;
}

TEST(ShortcutHelp, ListsTheKeysOfTheShownViewOpened) {
  test::RecordingPort port;
  MainWindow window(port);
  window.views().showView(QStringLiteral("packets"));
  const ShortcutHelp help(*window.menuBar());
  const auto& tree = *help.findChild<QTreeWidget*>();
  QTreeWidgetItem* packets = itemOf(tree, QStringLiteral("Packets"));
  ASSERT_NE(packets, nullptr);
  EXPECT_TRUE(packets->isExpanded());
  ASSERT_NE(itemOf(tree, QStringLiteral("Scope")), nullptr);
  EXPECT_FALSE(itemOf(tree, QStringLiteral("Scope"))->isExpanded());
  QMap<QString, QString> keys;
  for (int row = 0; row < packets->childCount(); ++row)
    keys.insert(packets->child(row)->text(0), packets->child(row)->text(1));
  EXPECT_EQ(keys.value(QStringLiteral("Next retransmission")), QStringLiteral("R"));
  EXPECT_EQ(keys.value(QStringLiteral("Previous retransmission")), QStringLiteral("Shift+R"));
  EXPECT_EQ(keys.value(QStringLiteral("Whole connection")), QStringLiteral("0, Home"));
  EXPECT_FALSE(keys.contains(QStringLiteral("Save picture…"))) << "it has no key";
}

TEST(ShortcutHelp, HasEveryKeyOfTheMenus) {
  test::RecordingPort port;
  MainWindow window(port);
  const ShortcutHelp help(*window.menuBar());
  const auto& tree = *help.findChild<QTreeWidget*>();
  for (const View* view : window.views().views()) {
    for (const QAction* action : view->actions()) {
      if (action->shortcut().isEmpty()) continue;
      const auto found = tree.findItems(QString(action->text()).remove(u'&'), Qt::MatchExactly | Qt::MatchRecursive);
      EXPECT_FALSE(found.isEmpty()) << qPrintable(action->text());
    }
  }
}

}  // namespace
}  // namespace tcpscope
