// The path history in its view: a row for each path, the chosen one in sentences, the selected connection's first.
#include "ui/views/path_history/path_history_view.h"

#include <gtest/gtest.h>

#include <QTreeWidget>

#include "tests/ui/support/detail_drawing.h"
#include "tests/ui/support/drawn_paths.h"
#include "tests/ui/support/recording_port.h"

namespace tcpscope {
namespace {

using test::knownPath;

class PathHistoryViewTest : public testing::Test {
protected:
  PathHistoryViewTest() { m_view.resize(1000, 500); }
  [[nodiscard]] Ports ports() {
    Ports ports;
    ports.paths = &m_paths;
    return ports;
  }
  void shows(std::vector<PathEntry> entries) {
    m_paths.shows(std::move(entries));
    m_view.poll();
  }
  void selects(const std::shared_ptr<const SessionSnapshot>& snapshot) {
    m_selection.setConnection(test::detailOf(snapshot).row.id);
    m_view.setSelection(m_selection);
    m_view.setSnapshot(snapshot);
  }
  [[nodiscard]] QTreeWidget& list() const { return *m_view.findChild<QTreeWidget*>(); }
  [[nodiscard]] QPushButton& forget() const { return *m_view.findChild<QPushButton*>(); }

  test::DrawnPaths m_paths;
  test::RecordingPort m_port;
  Selection m_selection;
  ControlState m_control{m_port};
  PathHistoryView m_view{ViewContext{m_selection, m_control, ports()}};
};

TEST_F(PathHistoryViewTest, ListsThePathsWithWhatTheyHaveShown) {
  shows({knownPath("198.51.100.0/24"), knownPath("203.0.113.0/24")});
  ASSERT_EQ(list().topLevelItemCount(), 2);
  EXPECT_EQ(list().topLevelItem(0)->text(1), QStringLiteral("20.0 ms"));
  EXPECT_EQ(list().topLevelItem(0)->text(2), QStringLiteral("94.0 Mbit/s"));
  EXPECT_EQ(list().topLevelItem(0)->text(3), QStringLiteral("-")) << "nothing was received for long enough";
  EXPECT_EQ(m_view.headline(), QStringLiteral("Networks that this host connected to: 2"));
}

TEST_F(PathHistoryViewTest, ShowsThePathOfTheSelectedConnection) {
  shows({knownPath("203.0.113.0/24"), knownPath("198.51.100.0/24")});
  EXPECT_EQ(m_view.description(), QString());
  selects(test::seenAt(test::snapshotWithDetail({test::ObservationBuilder().build()}), "here"));
  EXPECT_TRUE(m_view.description().startsWith(QStringLiteral("198.51.100.0/24  connections 3")))
      << m_view.description().toStdString();
  EXPECT_TRUE(m_view.description().contains(QStringLiteral("Send buffer of the next connection: ")));
}

TEST_F(PathHistoryViewTest, KeepsAnotherPathThatTheUserChose) {
  shows({knownPath("203.0.113.0/24"), knownPath("198.51.100.0/24")});
  const auto snapshot = test::seenAt(test::snapshotWithDetail({test::ObservationBuilder().build()}), "here");
  selects(snapshot);
  list().setCurrentItem(list().topLevelItem(0));
  m_view.setSnapshot(snapshot);
  m_view.poll();
  EXPECT_TRUE(m_view.description().startsWith(QStringLiteral("203.0.113.0/24"))) << m_view.description().toStdString();
}

TEST_F(PathHistoryViewTest, HasNoPathsForConnectionsOfOtherHosts) {
  shows({knownPath("198.51.100.0/24")});
  selects(test::seenAt(test::snapshotWithDetail({test::ObservationBuilder().build()}), "there"));
  EXPECT_EQ(m_view.description(), QString());
}

TEST_F(PathHistoryViewTest, ForgetsTheChosenPath) {
  shows({knownPath("198.51.100.0/24")});
  EXPECT_FALSE(forget().isEnabled());
  list().setCurrentItem(list().topLevelItem(0));
  ASSERT_TRUE(forget().isEnabled());
  forget().click();
  EXPECT_EQ(m_paths.forgotten, std::vector{test::path("198.51.100.0/24")});
}

TEST_F(PathHistoryViewTest, ReportsErrorsAndAnEmptyHistory) {
  const PathHistoryView withoutHistory({m_selection, m_control});
  EXPECT_EQ(withoutHistory.headline(), QStringLiteral("No path history is kept here."));
  shows({});
  EXPECT_TRUE(m_view.headline().startsWith(QStringLiteral("No paths yet")));
  auto broken = std::make_shared<PathHistoryState>();
  broken->problem = "the path history is damaged";
  m_paths.current = broken;
  m_view.poll();
  EXPECT_EQ(m_view.headline(), QStringLiteral("the path history is damaged"));
}

}  // namespace
}  // namespace tcpscope
