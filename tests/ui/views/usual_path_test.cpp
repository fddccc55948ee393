// What the scope says of the path of its connection: what was usual there before.
#include <gtest/gtest.h>

#include "tests/ui/support/detail_drawing.h"
#include "tests/ui/support/drawn_paths.h"
#include "tests/ui/support/recording_port.h"
#include "ui/views/scope/scope_view.h"

namespace tcpscope {
namespace {

class UsualPathTest : public testing::Test {
protected:
  QString saidOf(const std::string& bootId) {
    const auto snapshot = test::seenAt(test::snapshotWithDetail({test::ObservationBuilder().build()}), bootId);
    m_selection.setConnection(test::detailOf(snapshot).row.id);
    m_scope.setSelection(m_selection);
    m_scope.setSnapshot(snapshot);
    return m_scope.usual();
  }

  test::DrawnPaths m_paths;
  test::RecordingPort m_port;
  Selection m_selection;
  ControlState m_control{m_port};
  ScopeView m_scope{ViewContext{m_selection, m_control}};
};

TEST_F(UsualPathTest, IsSaidForAKnownPath) {
  m_paths.shows({test::knownPath("198.51.100.0/24")});
  m_scope.offerPathBook(m_paths);
  EXPECT_EQ(saidOf("here"),
            QStringLiteral("Usually on this path, 198.51.100.0/24: round trip 20.0 ms at best, sending 94.0 Mbit/s"));
}

TEST_F(UsualPathTest, IsNotWhatThisConnectionAloneHasShown) {
  PathEntry entry = test::knownPath("198.51.100.0/24");
  entry.connections = 1;
  m_paths.shows({entry});
  m_scope.offerPathBook(m_paths);
  EXPECT_EQ(saidOf("here"), QStringLiteral("Of this path nothing is known from before."));
}

TEST_F(UsualPathTest, IsNotMadeUp) {
  m_paths.shows({});
  EXPECT_EQ(saidOf("here"), QString()) << "no book is kept";
  m_scope.offerPathBook(m_paths);
  EXPECT_EQ(saidOf("here"), QStringLiteral("Of this path nothing is known from before."));
  EXPECT_EQ(saidOf("there"), QString()) << "another host's path is another one";
}

}  // namespace
}  // namespace tcpscope
