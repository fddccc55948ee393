// F1 explains the view in front.
#include "ui/window/view_help.h"

#include <gtest/gtest.h>

#include <QLabel>
#include <QTreeWidget>

#include "tests/ui/support/recording_port.h"
#include "ui/window/main_window.h"

namespace tcpscope {
namespace {

TEST(ViewHelp, ExplainsTheViewInFrontAndListsItsKeys) {
  test::RecordingPort port;
  MainWindow window(port);
  window.views().showView(QStringLiteral("packets"));
  const ViewHelp help(window.views());
  EXPECT_EQ(help.windowTitle(), QStringLiteral("Help: Packets"));
  EXPECT_TRUE(help.findChild<QLabel*>()->text().contains(QStringLiteral("next retransmission")));
  const auto* keys = help.findChild<QTreeWidget*>();
  ASSERT_NE(keys, nullptr);
  EXPECT_EQ(keys->findItems(QStringLiteral("Next retransmission"), Qt::MatchExactly).size(), 1);
}

TEST(ViewHelp, HasNoTableWhereAViewHasNoKeys) {
  test::RecordingPort port;
  MainWindow window(port);
  window.views().showView(QStringLiteral("properties"));
  const ViewHelp help(window.views());
  EXPECT_EQ(help.findChild<QTreeWidget*>(), nullptr);
}

TEST(ViewHelp, IsWrittenForEveryView) {
  for (const ViewRow& row : viewCatalogue()) {
    EXPECT_GT(QString::fromUtf8(row.help).size(), 100) << row.key;
  }
}

}  // namespace
}  // namespace tcpscope
