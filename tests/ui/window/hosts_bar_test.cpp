// Lost hosts as their user meets them in the window.
#include "ui/window/hosts_bar.h"

#include <gtest/gtest.h>

#include <QToolButton>

#include "tests/ui/support/pretended_hosts.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;

class HostsBarTest : public testing::Test {
protected:
  QToolButton* button(const QString& accessibleName) {
    for (QToolButton* one : m_bar.findChildren<QToolButton*>()) {
      if (one->accessibleName() == accessibleName) return one;
    }
    return nullptr;
  }

  test::PretendedHosts m_port;
  HostsBar m_bar{m_port};
};

TEST_F(HostsBarTest, IsHiddenWhileAllAreConnected) {
  m_port.connected = {{1, "db1", HostPhase::connected, {}, {}}};
  m_bar.poll();
  EXPECT_TRUE(m_bar.isHidden());
}

TEST_F(HostsBarTest, ShowsDisconnectedHostsWithReasonAndNextAttempt) {
  m_port.connected = {{1, "db1", HostPhase::connected, {}, {}},
                      {2, "db2", HostPhase::waiting, "the connection to 'db2' was lost; see that it runs", 3200ms}};
  m_bar.poll();
  EXPECT_FALSE(m_bar.isHidden());
  EXPECT_EQ(m_bar.texts(), QStringList({QStringLiteral("db2: disconnected, reconnecting in 4 s"),
                                        QStringLiteral("The connection to 'db2' was lost; see that it runs.")}));
  m_port.connected[1].phase = HostPhase::connecting;
  m_bar.poll();
  EXPECT_EQ(m_bar.texts()[0], QStringLiteral("db2: disconnected, reconnecting…"));
  m_port.connected[1].phase = HostPhase::stopped;
  m_bar.poll();
  EXPECT_EQ(m_bar.texts()[0], QStringLiteral("db2: disconnected"));
  m_port.connected[1].phase = HostPhase::connected;
  m_bar.poll();
  EXPECT_TRUE(m_bar.isHidden());
}

TEST_F(HostsBarTest, ReconnectsAndDisconnectsTheHostOfTheLine) {
  m_port.connected = {{1, "db1", HostPhase::stopped, "refused", {}}, {2, "db2", HostPhase::stopped, "refused", {}}};
  m_bar.poll();
  button(QStringLiteral("Reconnect to db2"))->click();
  EXPECT_EQ(m_port.again, std::vector<std::uint32_t>{2});
  button(QStringLiteral("Disconnect db1"))->click();
  m_bar.poll();
  ASSERT_EQ(m_port.connected.size(), 1U);
  EXPECT_EQ(m_bar.texts()[0], QStringLiteral("db2: disconnected"));
  button(QStringLiteral("Reconnect to db2"))->click();
  EXPECT_EQ(m_port.again, (std::vector<std::uint32_t>{2, 2})) << "the line that is left is of the other host";
}

TEST_F(HostsBarTest, OffersOtherMeansForAHostThatLacksTheAgent) {
  m_port.connected = {
      {1, "db1", HostPhase::stopped, "'db1' has no tcpscope-cli", {}, HostMeans::installed, true},
      {2, "db2", HostPhase::stopped, "refused", {}, HostMeans::throughSs, false},
  };
  m_bar.poll();
  EXPECT_FALSE(button(QStringLiteral("Deploy a temporary agent on db1"))->isHidden());
  EXPECT_TRUE(button(QStringLiteral("Deploy a temporary agent on db2"))->isHidden());
  button(QStringLiteral("Deploy a temporary agent on db1"))->click();
  EXPECT_EQ(m_port.wantedMeans, HostMeans::copied);
  button(QStringLiteral("Sample db1 with ss"))->click();
  EXPECT_EQ(m_port.wantedMeans, HostMeans::throughSs);
  button(QStringLiteral("Reconnect to db1"))->click();
  EXPECT_EQ(m_port.wantedMeans, HostMeans::installed);
  button(QStringLiteral("Reconnect to db2"))->click();
  EXPECT_EQ(m_port.wantedMeans, HostMeans::throughSs) << "as it was looked at before";
}

TEST_F(HostsBarTest, ShowsHowAHostIsConnected) {
  const auto connected = [](HostMeans means) {
    return hostText({1, "db1", HostPhase::connected, {}, {}, means, false});
  };
  EXPECT_EQ(connected(HostMeans::installed), QStringLiteral("db1: connected"));
  EXPECT_EQ(connected(HostMeans::throughSs),
            QStringLiteral("db1: connected through ss, one sample per second, no process names"));
  EXPECT_EQ(connected(HostMeans::copied), QStringLiteral("db1: connected through a temporary agent"));
}

}  // namespace
}  // namespace tcpscope
