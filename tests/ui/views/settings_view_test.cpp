// The list of settings and a change of one, at a port that a test fills.
#include "ui/views/settings/settings_view.h"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QTest>

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
  EXPECT_TRUE(QTest::qWaitFor([&] { return cell(QStringLiteral("TCP_KEEPIDLE"), 1) == QStringLiteral("2.00 h"); }));
  EXPECT_EQ(cell(QStringLiteral("TCP_KEEPIDLE"), 3), "the program");
  EXPECT_EQ(m_changes.current.phase, HostChangePhase::none);
  EXPECT_TRUE(m_view->changePanel()->isHidden());
}

TEST_F(SettingsViewTest, WhatWasReadStaysUntilAChangeIsMade) {
  m_changes.current.rows = {{"TCP_KEEPIDLE", "7200", {}, {}, "2.00 h", "the program"}};
  m_view->findChildren<QPushButton*>().first()->click();
  // The view asks for the answer by a timer, and waits for no other thread.
  ASSERT_TRUE(QTest::qWaitFor([&] { return cell(QStringLiteral("TCP_KEEPIDLE"), 1) == QStringLiteral("2.00 h"); }));
  choose(QStringLiteral("TCP_NODELAY"));
  m_view->editor().field().setText(QStringLiteral("on"));
  m_view->editor().preview().click();
  ASSERT_FALSE(m_view->changePanel()->isHidden());
  m_view->setSnapshot(m_snapshot);
  EXPECT_EQ(cell(QStringLiteral("TCP_KEEPIDLE"), 1), "2.00 h");
  m_changes.current.phase = HostChangePhase::inForce;
  m_view->changePanel()->poll();
  m_view->setSnapshot(m_snapshot);
  EXPECT_EQ(cell(QStringLiteral("TCP_KEEPIDLE"), 1), "–");
}

TEST_F(SettingsViewTest, AChangeGetsTheRoomForItsButtons) {
  m_view->resize(1260, 420);
  m_changes.current.canApply = true;
  m_changes.current.rows = {{"TCP_NODELAY", "0", "1", "sends at once"}};
  m_changes.current.notes = {"One note.", "Another note.", "A third one."};
  choose(QStringLiteral("TCP_NODELAY"));
  m_view->editor().field().setText(QStringLiteral("on"));
  m_view->editor().preview().click();
  QCoreApplication::processEvents();
  EXPECT_GT(m_view->changePanel()->height(), 200);
  for (const QPushButton* button : m_view->changePanel()->findChildren<QPushButton*>()) {
    if (!button->isVisible()) continue;
    EXPECT_EQ(button->visibleRegion().boundingRect(), button->rect()) << button->text().toStdString();
  }
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

TEST_F(SettingsViewTest, TheSliderFollowsWhatIsTyped) {
  choose(QStringLiteral("SO_SNDBUF"));
  const int before = m_view->editor().slider().value();
  m_view->editor().field().clear();
  QTest::keyClicks(&m_view->editor().field(), QStringLiteral("67108864"));
  EXPECT_EQ(m_view->editor().slider().value(), m_view->editor().slider().maximum());
  EXPECT_LT(before, m_view->editor().slider().maximum());
  QTest::keyClicks(&m_view->editor().field(), QStringLiteral("x"));
  EXPECT_EQ(m_view->editor().slider().value(), m_view->editor().slider().maximum()) << "what is no value moves nothing";
  QCoreApplication::processEvents();
  EXPECT_TRUE(m_changes.previewed.empty());
}

/// The option is SO_SNDBUF, its values are applied while the slider moves.
class SliderTest : public SettingsViewTest {
protected:
  SliderTest() {
    choose(QStringLiteral("SO_SNDBUF"));
    m_view->editor().appliesWhileMoved().setChecked(true);
  }
  void slideTo(int position) {
    m_changes.current.canApply = true;
    m_view->editor().slider().setValue(position);
  }
  void reach(HostChangePhase phase) {
    m_changes.current.phase = phase;
    m_changes.current.canApply = true;
    m_view->changePanel()->poll();
  }
  static std::string valueAt(double position) {
    return typedValue(SocketOption::sendBuffer, optionAt(SocketOption::sendBuffer, position)).toStdString();
  }
  [[nodiscard]] std::string previewed() const { return m_changes.previewed.back().changes.at(0).wanted; }
};

TEST_F(SliderTest, TriesEachValueAndOfThoseThatWaitOnlyTheNewest) {
  slideTo(50);
  EXPECT_EQ(m_changes.current.phase, HostChangePhase::changing);
  slideTo(60);
  slideTo(70);
  EXPECT_EQ(m_changes.previewed.size(), 1U);
  reach(HostChangePhase::inForce);
  ASSERT_EQ(m_changes.previewed.size(), 2U);
  EXPECT_EQ(previewed(), valueAt(0.35));
  EXPECT_TRUE(m_changes.previewed.back().replacesTrial);
}

TEST_F(SliderTest, TheLastValueStaysOnTrial) {
  slideTo(50);
  reach(HostChangePhase::inForce);
  m_view->changePanel()->poll();
  EXPECT_EQ(m_changes.current.phase, HostChangePhase::inForce) << "neither kept nor undone without the user";
  EXPECT_TRUE(m_view->editor().slider().isEnabled());
  EXPECT_FALSE(m_view->editor().preview().isEnabled()) << "its undo would be lost";
}

TEST_F(SliderTest, AValueThatWaitsIsNotAppliedToAnotherConnection) {
  slideTo(50);
  slideTo(90);
  m_selection.setConnection(ConnectionId{PlaceId{0}, 4711});
  m_view->setSelection(m_selection);
  reach(HostChangePhase::inForce);
  EXPECT_EQ(m_changes.previewed.size(), 1U);
  EXPECT_FALSE(m_view->editor().slider().isEnabled());
}

TEST_F(SliderTest, AValueThatWaitsIsNotAppliedOnceAnotherKindIsShown) {
  slideTo(50);
  slideTo(90);
  m_view->showKind(SettingKind::sysctl);
  reach(HostChangePhase::inForce);
  EXPECT_EQ(m_changes.previewed.size(), 1U);
}

TEST_F(SliderTest, TheUsersAnswerEndsWhatWaits) {
  slideTo(50);
  slideTo(90);
  reach(HostChangePhase::undone);
  EXPECT_EQ(m_changes.previewed.size(), 1U);
  EXPECT_EQ(m_changes.current.phase, HostChangePhase::undone);
}

TEST_F(SliderTest, ATypedPreviewWaitsForTheUser) {
  m_view->editor().field().setText(QStringLiteral("4MiB"));
  m_view->editor().preview().click();
  m_changes.current.canApply = true;
  m_view->changePanel()->poll();
  EXPECT_EQ(m_changes.current.phase, HostChangePhase::previewed);
}

TEST_F(SliderTest, DuringATrialOfTheUserNothingIsPreviewedOrApplied) {
  m_view->editor().field().setText(QStringLiteral("4MiB"));
  m_view->editor().preview().click();
  reach(HostChangePhase::inForce);
  EXPECT_FALSE(m_view->editor().preview().isEnabled());
  EXPECT_FALSE(m_view->editor().slider().isEnabled());
  slideTo(80);
  EXPECT_EQ(m_changes.previewed.size(), 1U);
  m_changes.forget();
  m_view->changePanel()->poll();
  EXPECT_EQ(m_changes.previewed.size(), 1U) << "no value waited for the end of the trial";
}

TEST_F(SliderTest, AnotherConnectionBeginsWithItsOwnValueAndIsNotArmed) {
  slideTo(90);
  SocketObservation other = test::ObservationBuilder().cookie(4711).build();
  other.memory.emplace();
  other.memory->sendBuffer = Bytes(8'192);
  auto snapshot = std::make_shared<SessionSnapshot>(*test::snapshotWithDetail({other}));
  snapshot->places = m_snapshot->places;
  m_changes.forget();
  m_selection.setConnection(other.id);
  m_view->setSelection(m_selection);
  m_view->setSnapshot(snapshot);
  choose(QStringLiteral("SO_SNDBUF"));
  EXPECT_EQ(m_view->editor().field().text(), "4096");
  EXPECT_FALSE(m_view->editor().appliesWhileMoved().isChecked());
}

TEST(SliderChanges, EndWithAnError) {
  test::ScriptedChanges port;
  SliderChanges changes(port, [&](const HostChangeRequest& request) { port.preview(request); });
  changes.request({});
  EXPECT_TRUE(changes.isUnderWay());
  port.current.notice = "the connection is over";
  port.current.canApply = true;
  changes.request({});
  EXPECT_FALSE(changes.isUnderWay());
  EXPECT_EQ(port.current.phase, HostChangePhase::previewed);
}

}  // namespace
}  // namespace tcpscope
