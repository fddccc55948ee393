// The usual figures of the connection's path, from the path history, as the scope shows them.
#include <gtest/gtest.h>

#include "tests/ui/support/detail_drawing.h"
#include "tests/ui/support/drawn_paths.h"
#include "tests/ui/support/recording_port.h"
#include "ui/views/scope/scope_view.h"

namespace tcpscope {
namespace {

class UsualPathTest : public testing::Test {
protected:
  static Ports portsWith(PathHistoryPort* paths) {
    Ports ports;
    ports.paths = paths;
    return ports;
  }
  QString usualOn(ScopeView& scope, const std::string& bootId) {
    const auto snapshot = test::seenAt(test::snapshotWithDetail({test::ObservationBuilder().build()}), bootId);
    m_selection.setConnection(test::detailOf(snapshot).row.id);
    scope.setSelection(m_selection);
    scope.setSnapshot(snapshot);
    return scope.usual();
  }

  test::DrawnPaths m_paths;
  test::RecordingPort m_port;
  Selection m_selection;
  ControlState m_control{m_port};
  ScopeView m_scope{ViewContext{m_selection, m_control, portsWith(&m_paths)}};
};

TEST_F(UsualPathTest, IsShownForAKnownPath) {
  m_paths.shows({test::knownPath("198.51.100.0/24")});
  EXPECT_EQ(usualOn(m_scope, "here"),
            QStringLiteral("History of this path, 198.51.100.0/24: minimum RTT 20.0 ms, best Tx rate 94.0 Mbit/s"));
}

TEST_F(UsualPathTest, IsNotWhatThisConnectionAloneHasShown) {
  PathEntry entry = test::knownPath("198.51.100.0/24");
  entry.connections = 1;
  m_paths.shows({entry});
  EXPECT_EQ(usualOn(m_scope, "here"), QStringLiteral("No history of this path."));
}

TEST_F(UsualPathTest, IsAbsentForAnUnknownPath) {
  m_paths.shows({});
  ScopeView withoutHistory({m_selection, m_control});
  EXPECT_EQ(usualOn(withoutHistory, "here"), QString()) << "no path history is kept";
  EXPECT_EQ(usualOn(m_scope, "here"), QStringLiteral("No history of this path."));
  EXPECT_EQ(usualOn(m_scope, "there"), QString()) << "another host's path is another one";
}

}  // namespace
}  // namespace tcpscope
