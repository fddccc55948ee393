// Further connections in the scope, from the list to what is asked of the session.
#include <gtest/gtest.h>

#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QMenu>
#include <QTest>

#include "tests/ui/support/recording_port.h"
#include "tests/ui/support/snapshot_drawing.h"
#include "ui/widgets/row_table.h"
#include "ui/window/main_window.h"

namespace tcpscope {
namespace {

constexpr ConnectionId kFirst{PlaceId{0}, 1};
constexpr ConnectionId kSecond{PlaceId{0}, 2};
constexpr ConnectionId kThird{PlaceId{0}, 3};

class FurtherConnections : public testing::Test {
protected:
  FurtherConnections() {
    m_port.snapshot = test::snapshotOf({{1}, {2}, {3}});
    m_window.resize(1200, 700);
    m_window.show();
    m_window.poll();
    m_window.selection().setConnection(kFirst);
  }
  void chooseInMenuOf(ConnectionId connection, const QString& text) {
    QMenu menu;
    m_window.list().fillRowMenu(menu, connection);
    for (QAction* action : menu.actions()) {
      if (action->text() == text && action->isEnabled()) return action->trigger();
    }
    FAIL() << "not offered: " << text.toStdString();
  }

  test::RecordingPort m_port;
  MainWindow m_window{m_port};
};

const QString kShowToo = QStringLiteral("Show in the &scope, too");

TEST_F(FurtherConnections, AreAddedAndRemovedInTheListWithoutAnotherSelection) {
  chooseInMenuOf(kSecond, kShowToo);
  EXPECT_EQ(m_window.selection().connection(), kFirst) << "its history would be lost";
  EXPECT_EQ(m_port.wanted.followed, std::set<ConnectionId>{kSecond});
  EXPECT_EQ(m_port.wanted.focus, kFirst);
  chooseInMenuOf(kThird, kShowToo);
  EXPECT_EQ(m_port.wanted.followed, (std::set<ConnectionId>{kSecond, kThird}));
  chooseInMenuOf(kSecond, kShowToo);
  EXPECT_EQ(m_port.wanted.followed, std::set<ConnectionId>{kThird});
}

TEST_F(FurtherConnections, StayWhenAnotherOneIsSelected) {
  chooseInMenuOf(kFirst, kShowToo);
  m_window.selection().setConnection(kSecond);
  EXPECT_EQ(m_port.wanted.focus, kSecond);
  EXPECT_EQ(m_port.wanted.followed, std::set<ConnectionId>{kFirst});
}

TEST_F(FurtherConnections, LeaveTheirPlacesWhenTheyDisappear) {
  chooseInMenuOf(kSecond, kShowToo);
  chooseInMenuOf(kThird, kShowToo);
  m_port.snapshot = test::snapshotOf({{1}, {3}});
  m_window.poll();
  EXPECT_EQ(m_window.selection().further(), std::vector<ConnectionId>{kThird});
  EXPECT_EQ(m_port.wanted.followed, std::set<ConnectionId>{kThird});
}

TEST_F(FurtherConnections, AreFollowedBesideThoseOfAChange) {
  ControlState control(m_port);
  control.setFollowed({kFirst});
  control.setFurther({kSecond});
  EXPECT_EQ(m_port.wanted.followed, (std::set<ConnectionId>{kFirst, kSecond}));
  control.setFollowed({});
  EXPECT_EQ(m_port.wanted.followed, std::set<ConnectionId>{kSecond});
}

TEST_F(FurtherConnections, TheMenuOfARowIsAboutThatRowWhileItIsOpen) {
  {
    QMenu menu;
    m_window.list().fillRowMenu(menu, kSecond);
    for (QAction* action : menu.actions()) {
      if (action->text() == QStringLiteral("&Pin this connection")) action->trigger();
    }
  }
  EXPECT_EQ(m_port.wanted.pinned, std::set<ConnectionId>{kSecond});
  for (QAction* action : m_window.list().actions()) {
    if (action->text() != QStringLiteral("&Pin this connection")) continue;
    EXPECT_FALSE(action->isChecked()) << "the selected one is not pinned";
  }
}

TEST_F(FurtherConnections, TheMenuOfARowCopiesThatRow) {
  m_port.snapshot = test::snapshotOf({{1, 1e6F}, {2, 2e6F}, {3, 3e6F}});
  m_window.poll();
  const auto* const table = m_window.list().findChild<ConnectionTableView*>();
  QMenu menu;
  m_window.list().fillRowMenu(menu, kSecond);
  for (QAction* action : menu.actions()) {
    if (action->text() == QStringLiteral("Cop&y")) action->trigger();
  }
  EXPECT_EQ(QGuiApplication::clipboard()->text(), rowsAs(RowFormat::text, *table, {1}));
  EXPECT_NE(rowsAs(RowFormat::text, *table, {1}), rowsAs(RowFormat::text, *table, {0})) << "that of the selected one";
}

TEST_F(FurtherConnections, ARightClickSelectsNothing) {
  auto* table = m_window.list().findChild<ConnectionTableView*>();
  const QModelIndex row = table->model()->index(2, static_cast<int>(ConnectionColumn::remote));
  std::optional<ConnectionId> asked;
  QObject::disconnect(table, &ConnectionTableView::menuRequested, nullptr, nullptr);
  QObject::connect(table, &ConnectionTableView::menuRequested, [&](const ConnectionId& id) { asked = id; });
  const QPoint at = table->visualRect(row).center();
  QTest::mouseClick(table->viewport(), Qt::RightButton, {}, at);
  QContextMenuEvent event(QContextMenuEvent::Mouse, at, table->viewport()->mapToGlobal(at));
  QCoreApplication::sendEvent(table->viewport(), &event);
  EXPECT_EQ(m_window.selection().connection(), kFirst);
  EXPECT_EQ(asked, kThird);
}

}  // namespace
}  // namespace tcpscope
