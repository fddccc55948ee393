// Connecting to a host as its user meets it.
#include "ui/window/connect_dialog.h"

#include <gtest/gtest.h>

#include <QTest>

#include "tests/ui/support/pretended_hosts.h"

namespace tcpscope {
namespace {

class ConnectDialogTest : public testing::Test {
protected:
  QPushButton* button(const QString& text) {
    for (QPushButton* one : m_dialog.findChildren<QPushButton*>()) {
      if (one->text() == text) return one;
    }
    return nullptr;
  }
  void type(const QString& text) { m_dialog.findChild<QComboBox*>()->setEditText(text); }
  QPushButton* connectButton() { return button(QStringLiteral("&Connect")); }

  test::PretendedHosts m_port;
  ConnectDialog m_dialog{m_port, {QStringLiteral("db2"), QStringLiteral("db1")}};
};

TEST_F(ConnectDialogTest, OffersRecentHostsNewestFirst) {
  EXPECT_EQ(m_dialog.host(), QStringLiteral("db2"));
  EXPECT_EQ(m_dialog.findChild<QComboBox*>()->count(), 2);
}

TEST_F(ConnectDialogTest, RequiresAHost) {
  type(QStringLiteral("  "));
  EXPECT_FALSE(connectButton()->isEnabled());
  type(QStringLiteral("db3"));
  EXPECT_TRUE(connectButton()->isEnabled());
}

TEST_F(ConnectDialogTest, ShowsProgressAndClosesOnceConnected) {
  type(QStringLiteral(" root@db3 "));
  connectButton()->click();
  EXPECT_EQ(m_port.wanted, "root@db3");
  EXPECT_TRUE(m_dialog.notice().startsWith(QStringLiteral("Connecting"))) << qPrintable(m_dialog.notice());
  EXPECT_FALSE(connectButton()->isEnabled());
  m_port.state = {};
  m_dialog.poll();
  EXPECT_EQ(m_dialog.result(), QDialog::Accepted);
}

TEST_F(ConnectDialogTest, ShowsTheErrorAndAllowsAnotherAttempt) {
  m_port.answer = {ConnectPhase::failed, "there is no host 'db3'; see its name"};
  type(QStringLiteral("db3"));
  connectButton()->click();
  EXPECT_EQ(m_dialog.notice(), QStringLiteral("There is no host 'db3'; see its name."));
  EXPECT_NE(m_dialog.result(), QDialog::Accepted);
  EXPECT_TRUE(connectButton()->isEnabled());
  EXPECT_TRUE(connectButton()->isDefault());
  EXPECT_FALSE(button(QStringLiteral("Cancel"))->autoDefault()) << "Enter connects";
  m_port.answer = {};
  connectButton()->click();
  EXPECT_EQ(m_dialog.result(), QDialog::Accepted);
}

TEST_F(ConnectDialogTest, OffersOtherMeansWhereNoAgentIsInstalledAndOnlyThere) {
  m_dialog.show();
  QPushButton* throughSs = button(QStringLiteral("Sample with &ss"));
  QPushButton* copy = button(QStringLiteral("Deploy &temporary agent"));
  ASSERT_TRUE(throughSs != nullptr && copy != nullptr);
  EXPECT_FALSE(throughSs->isVisible() || copy->isVisible());
  m_port.answer = {ConnectPhase::failed, "there is no host 'db3'; see its name", false};
  connectButton()->click();
  EXPECT_FALSE(throughSs->isVisible() || copy->isVisible());
  m_port.answer = {ConnectPhase::failed, "'db3' has no tcpscope-cli; install it there", true};
  connectButton()->click();
  EXPECT_TRUE(throughSs->isVisible() && copy->isVisible());
  EXPECT_EQ(m_port.wantedMeans, HostMeans::installed);
  type(QStringLiteral("db4"));
  EXPECT_FALSE(throughSs->isVisible() || copy->isVisible()) << "another host was not asked yet";
}

TEST_F(ConnectDialogTest, ConnectsByTheMeansThatWereChosen) {
  const ConnectState missing{ConnectPhase::failed, "'db3' has no tcpscope-cli; install it there", true};
  m_port.answer = missing;
  connectButton()->click();
  button(QStringLiteral("Deploy &temporary agent"))->click();
  EXPECT_EQ(m_port.wantedMeans, HostMeans::copied);
  m_port.answer = {};
  button(QStringLiteral("Sample with &ss"))->click();
  EXPECT_EQ(m_port.wantedMeans, HostMeans::throughSs);
  EXPECT_EQ(m_dialog.result(), QDialog::Accepted);
}

TEST_F(ConnectDialogTest, AbortsTheConnectionAttemptWhenCancelled) {
  connectButton()->click();
  button(QStringLiteral("Cancel"))->click();
  EXPECT_EQ(m_port.cancelled, 1);
  EXPECT_EQ(m_dialog.result(), QDialog::Rejected);
}

TEST_F(ConnectDialogTest, KeepsItsLayoutWhenANoticeAppears) {
  m_dialog.show();
  const QRect before = connectButton()->geometry();
  m_port.answer = {ConnectPhase::failed,
                   "the key of the host 'db1.example.net' is not known, or another than before; look at it with "
                   "'ssh ssh://db1.example.net' in a terminal"};
  connectButton()->click();
  QCoreApplication::processEvents();
  EXPECT_EQ(connectButton()->geometry(), before);
}

}  // namespace
}  // namespace tcpscope
