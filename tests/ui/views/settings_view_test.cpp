// The list of settings and a change of one, at a port that a test fills.
#include "ui/views/settings/settings_view.h"

#include <gtest/gtest.h>

#include <QCoreApplication>

#include "tests/ui/support/detail_drawing.h"
#include "tests/ui/support/recording_port.h"
#include "tests/ui/support/scripted_changes.h"

namespace tcpscope {
namespace {

class SettingsViewTest : public testing::Test {
protected:
  SettingsViewTest() {
    m_context.ports.settings = &m_changes;
    m_view = std::make_unique<SettingsView>(m_context);
    m_view->resize(1000, 600);
    m_view->show();
    SocketObservation sample = test::ObservationBuilder().build();
    sample.memory.emplace();
    sample.memory->sendBuffer = Bytes(131'072);
    auto snapshot = std::make_shared<SessionSnapshot>(*test::snapshotWithDetail({sample}));
    Place place;
    place.id = sample.id.place;
    auto settings = std::make_shared<SysctlValues>();
    settings->set("net.ipv4.tcp_rmem", "4096 131072 6291456");
    settings->set("net.ipv4.tcp_sack", "1");
    place.settings = settings;
    snapshot->places = {place};
    m_snapshot = snapshot;
    m_selection.setConnection(sample.id);
    m_view->setSnapshot(m_snapshot);
  }
  void choose(const QString& key) {
    for (int row = 0; row < m_view->list().topLevelItemCount(); ++row) {
      if (m_view->list().topLevelItem(row)->text(0) == key)
        m_view->list().setCurrentItem(m_view->list().topLevelItem(row));
    }
    ASSERT_EQ(m_view->list().currentItem()->text(0), key);
  }
  QString cell(const QString& key, int column) {
    for (int row = 0; row < m_view->list().topLevelItemCount(); ++row) {
      if (m_view->list().topLevelItem(row)->text(0) == key) return m_view->list().topLevelItem(row)->text(column);
    }
    return QStringLiteral("absent");
  }

  test::ScriptedChanges m_changes;
  test::RecordingPort m_port;
  Selection m_selection;
  ControlState m_control{m_port};
  ViewContext m_context{m_selection, m_control};
  std::unique_ptr<SettingsView> m_view;
  SnapshotPointer m_snapshot;
};

TEST_F(SettingsViewTest, ListsEveryOptionOfTheSelectedConnection) {
  EXPECT_EQ(m_view->rows().size(), kSocketOptions);
  EXPECT_EQ(cell(QStringLiteral("SO_SNDBUF"), 1), "128 KiB");
  EXPECT_EQ(cell(QStringLiteral("TCP_KEEPIDLE"), 1), "–") << "not known before it is read";
}

TEST_F(SettingsViewTest, ListsTheSysctlsOfItsHostAndAlsoWithoutASelection) {
  m_selection.setConnection(std::nullopt);
  m_view->showKind(SettingKind::sysctl);
  m_view->setSelection(m_selection);
  EXPECT_EQ(m_view->list().topLevelItemCount(), 2);
  EXPECT_EQ(cell(QStringLiteral("net.ipv4.tcp_rmem"), 1), "4096 131072 6291456");
}

TEST_F(SettingsViewTest, SaysWhatIsMissingWithoutAConnection) {
  m_selection.setConnection(std::nullopt);
  m_view->setSelection(m_selection);
  EXPECT_EQ(m_view->list().topLevelItemCount(), 0);
  EXPECT_FALSE(m_view->headline().isEmpty());
}

TEST_F(SettingsViewTest, TheRestIsReadOnRequestWithoutAChange) {
  m_changes.current.rows = {{"TCP_KEEPIDLE", "7200", {}, {}, "2.00 h", "the program"}};
  m_view->findChildren<QPushButton*>().first()->click();
  ASSERT_EQ(m_changes.previewed.size(), 1U);
  EXPECT_TRUE(m_changes.previewed[0].changes.empty());
  EXPECT_EQ(m_changes.previewed[0].kind, SettingKind::socketOption);
  while (cell(QStringLiteral("TCP_KEEPIDLE"), 1) != QStringLiteral("2.00 h"))
    QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
  EXPECT_EQ(cell(QStringLiteral("TCP_KEEPIDLE"), 3), "the program");
  EXPECT_EQ(m_changes.current.phase, HostChangePhase::none);
  EXPECT_TRUE(m_view->changePanel()->isHidden());
}

TEST_F(SettingsViewTest, ATypedValueIsPreviewedAndNothingIsAppliedYet) {
  choose(QStringLiteral("SO_SNDBUF"));
  EXPECT_EQ(m_view->editor().field().text(), "65536");
  m_view->editor().field().setText(QStringLiteral("4MiB"));
  EXPECT_TRUE(m_view->editor().preview().isEnabled());
  m_view->editor().preview().click();
  ASSERT_EQ(m_changes.previewed.size(), 1U);
  EXPECT_EQ(m_changes.previewed[0].changes.at(0).key, "SO_SNDBUF");
  EXPECT_EQ(m_changes.previewed[0].changes.at(0).wanted, "4MiB");
  EXPECT_EQ(m_changes.current.phase, HostChangePhase::previewed);
  EXPECT_FALSE(m_view->changePanel()->isHidden());
}

TEST_F(SettingsViewTest, WhatTheUserTypesOutlastsSnapshots) {
  choose(QStringLiteral("SO_SNDBUF"));
  m_view->editor().field().setText(QStringLiteral("8MiB"));
  m_view->setSnapshot(m_snapshot);
  EXPECT_EQ(m_view->editor().field().text(), "8MiB");
}

TEST_F(SettingsViewTest, AValueThatIsNotAllowedCannotBePreviewed) {
  choose(QStringLiteral("SO_SNDBUF"));
  m_view->editor().field().setText(QStringLiteral("12"));
  EXPECT_FALSE(m_view->editor().preview().isEnabled());
  EXPECT_TRUE(m_view->editor().fault().contains(QStringLiteral("out of range")));
  choose(QStringLiteral("TCP_MAXSEG"));
  EXPECT_FALSE(m_view->editor().field().isEnabled());
}

TEST_F(SettingsViewTest, TheFilterLooksAtNamesAndMeanings) {
  for (QLineEdit* edit : m_view->findChildren<QLineEdit*>()) {
    if (edit->accessibleName() == QStringLiteral("Filter the settings")) edit->setText(QStringLiteral("keep"));
  }
  EXPECT_EQ(cell(QStringLiteral("SO_SNDBUF"), 1), "absent");
  EXPECT_NE(cell(QStringLiteral("TCP_KEEPCNT"), 1), "absent");
}

TEST_F(SettingsViewTest, AMovedSliderTypesItsValueAndChangesNothingUnlessAsked) {
  choose(QStringLiteral("SO_SNDBUF"));
  m_view->editor().slider().setValue(100);
  EXPECT_EQ(m_view->editor().field().text(),
            typedValue(SocketOption::sendBuffer, optionAt(SocketOption::sendBuffer, 0.5)));
  QCoreApplication::processEvents();
  EXPECT_TRUE(m_changes.previewed.empty());
}

TEST_F(SettingsViewTest, TheValuesOfASliderAreAppliedWhileItMovesAndOnlyTheNewestWaits) {
  choose(QStringLiteral("SO_SNDBUF"));
  m_changes.current.canApply = true;
  m_view->editor().appliesWhileMoved().setChecked(true);
  m_view->editor().slider().setValue(50);
  while (m_changes.current.phase != HostChangePhase::changing)
    QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
  m_view->editor().slider().setValue(60);
  m_view->editor().slider().setValue(70);
  m_changes.current.phase = HostChangePhase::inForce;
  m_changes.current.canApply = true;
  while (m_changes.previewed.size() < 2) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
  EXPECT_EQ(m_changes.previewed[1].changes.at(0).wanted,
            typedValue(SocketOption::sendBuffer, optionAt(SocketOption::sendBuffer, 0.35)).toStdString());
}

TEST(SliderChanges, ATrialOfTheUserIsLeftAlone) {
  test::ScriptedChanges port;
  port.current.phase = HostChangePhase::inForce;
  int previews = 0;
  SliderChanges changes(port, [&](const SettingChange&) { ++previews; });
  changes.request({});
  EXPECT_FALSE(changes.advance());
  EXPECT_EQ(previews, 0);
  EXPECT_EQ(port.current.phase, HostChangePhase::inForce);
}

TEST(SliderChanges, EndWithAnError) {
  test::ScriptedChanges port;
  SliderChanges changes(port, [&](const SettingChange&) { port.preview({}); });
  changes.request({});
  EXPECT_TRUE(changes.advance());
  port.current.notice = "the connection is over";
  port.current.canApply = true;
  changes.request({});
  EXPECT_FALSE(changes.advance());
  EXPECT_EQ(port.current.phase, HostChangePhase::previewed);
}

}  // namespace
}  // namespace tcpscope
