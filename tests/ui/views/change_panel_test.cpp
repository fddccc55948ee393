// The panel of a change, step by step, at a port that a test fills.
#include "ui/views/advice/change_panel.h"

#include <gtest/gtest.h>

#include <QClipboard>
#include <QGuiApplication>

#include "tests/ui/support/detail_drawing.h"
#include "tests/ui/support/recording_port.h"
#include "tests/ui/support/scripted_changes.h"

namespace tcpscope {
namespace {

class ChangePanelTest : public testing::Test {
protected:
  ChangePanelTest() {
    m_changes.current.canApply = true;
    m_changes.current.rows = {{"net.ipv4.tcp_rmem", "4096 131072 131072", "4096 131072 6291456", "would change"}};
    m_request.place.host = UntrustedText("receiver");
    m_parent.resize(900, 500);
  }
  QPushButton* button(const QString& text) {
    for (QPushButton* button : m_panel.findChildren<QPushButton*>()) {
      if (button->text().remove(u'&') == text) return button;
    }
    return nullptr;
  }
  bool offers(const QString& text) { return button(text)->isVisibleTo(&m_panel); }
  /// As the background does, later.
  void nowInForce(std::optional<Milliseconds> undoneIn) {
    m_changes.current.phase = HostChangePhase::inForce;
    m_changes.current.undoneIn = undoneIn;
    m_panel.poll();
  }

  test::ScriptedChanges m_changes;
  HostChangeRequest m_request;
  test::RecordingPort m_port;
  Selection m_selection;
  ControlState m_control{m_port};
  QWidget m_parent;
  ChangePanel m_panel{m_changes, {m_selection, m_control}, &m_parent};
};

TEST_F(ChangePanelTest, IsHiddenUntilAChangeIsRequested) {
  EXPECT_TRUE(m_panel.isHidden());
  m_panel.preview(m_request, {}, {});
  EXPECT_FALSE(m_panel.isHidden());
  EXPECT_TRUE(m_panel.headline().contains(QStringLiteral("Nothing is changed yet")))
      << m_panel.headline().toStdString();
  EXPECT_TRUE(offers(QStringLiteral("Apply")));
  EXPECT_FALSE(offers(QStringLiteral("Keep it")));
  button(QStringLiteral("Back"))->click();
  EXPECT_TRUE(m_panel.isHidden());
}

TEST_F(ChangePanelTest, FitsWhereThereIsLittleRoom) {
  m_changes.current.notes = {"One note after the other.", "And another one.", "And a third."};
  m_panel.preview(m_request, {}, {});
  EXPECT_LE(m_panel.minimumSizeHint().height(), 150);
}

TEST_F(ChangePanelTest, CountsDownAndStaysVisibleUntilTheChangeIsKept) {
  m_panel.preview(m_request, {}, {});
  button(QStringLiteral("Apply"))->click();
  EXPECT_FALSE(m_changes.persisted);
  nowInForce(Milliseconds(42'300));
  EXPECT_TRUE(m_panel.headline().contains(QStringLiteral("Undone in 42 s"))) << m_panel.headline().toStdString();
  EXPECT_FALSE(offers(QStringLiteral("Back"))) << "it would be undone out of sight";
  button(QStringLiteral("Keep it"))->click();
  EXPECT_TRUE(m_panel.headline().startsWith(QStringLiteral("Kept on receiver")));
  EXPECT_TRUE(offers(QStringLiteral("Undo it")));
}

TEST_F(ChangePanelTest, PersistsOnlyWherePossibleAndRequested) {
  m_changes.current.canPersist = true;
  m_panel.preview(m_request, {}, {});
  auto* persist = m_panel.findChild<QCheckBox*>();
  ASSERT_TRUE(persist->isVisibleTo(&m_panel));
  persist->setChecked(true);
  button(QStringLiteral("Apply"))->click();
  EXPECT_TRUE(m_changes.persisted);
}

TEST_F(ChangePanelTest, MeasuresTheSelectedConnectionFromThenOn) {
  std::vector<SocketObservation> samples;
  for (int poll = 0; poll < 300; ++poll) {
    const std::uint64_t rate = poll < 120 ? 100'000 : 400'000;
    const std::uint64_t bytes = (samples.empty() ? 0 : samples.back().info.bytesAcked()->value()) + rate;
    samples.push_back(test::ObservationBuilder().at(Milliseconds(100 * poll)).acked(bytes).build());
  }
  m_selection.setConnection(samples.front().id);
  const auto at = [&](std::ptrdiff_t poll) {
    return test::snapshotWithDetail({samples.begin(), samples.begin() + poll});
  };
  m_panel.setSnapshot(at(120));
  m_panel.preview(m_request, {}, {});
  button(QStringLiteral("Apply"))->click();
  nowInForce(std::nullopt);
  m_panel.setSnapshot(at(140));
  EXPECT_TRUE(m_panel.proof().startsWith(QStringLiteral("Measuring"))) << m_panel.proof().toStdString();
  m_panel.setSnapshot(at(300));
  EXPECT_TRUE(m_panel.proof().startsWith(QStringLiteral("4.00 times as fast"))) << m_panel.proof().toStdString();
  EXPECT_EQ(m_port.wanted.followed, std::set{samples.front().id});
  button(QStringLiteral("Undo it"))->click();
  EXPECT_FALSE(m_panel.proof().isEmpty()) << "what was found stays to be read";
}

TEST_F(ChangePanelTest, NamesTheConnectionOfTheChange) {
  m_request.kind = SettingKind::socketOption;
  m_request.local = {IpAddress::parse("192.0.2.1").value(), 50'000};
  m_request.remote = {IpAddress::parse("192.0.2.9").value(), 443};
  m_panel.preview(m_request, {}, {});
  EXPECT_TRUE(m_panel.headline().contains(QStringLiteral("192.0.2.1:50000 → 192.0.2.9:443")))
      << m_panel.headline().toStdString();
}

TEST_F(ChangePanelTest, MarksTheOptionsThatChanged) {
  const ConnectionId id{PlaceId{0}, 7};
  m_request.kind = SettingKind::socketOption;
  m_changes.current.rows = {{"SO_SNDBUF", "65536", "4194304", ""}, {"TCP_NODELAY", "1", "1", ""}};
  m_panel.setSnapshot(test::snapshotWithDetail({test::ObservationBuilder().at(Milliseconds(500)).build()}));
  m_panel.preview(m_request, {}, id);
  button(QStringLiteral("Apply"))->click();
  EXPECT_TRUE(m_port.wanted.changeMarks.empty());
  m_changes.current.rows.front().now = "4194304";
  nowInForce(std::nullopt);
  ASSERT_EQ(m_port.wanted.changeMarks.size(), 1U) << "what stayed as it was is no mark";
  const ChangeMark& mark = m_port.wanted.changeMarks.front();
  EXPECT_EQ(mark.connection, id);
  EXPECT_EQ(mark.key.rawBytes(), "SO_SNDBUF");
  EXPECT_EQ(mark.before.rawBytes(), "65536");
  EXPECT_EQ(mark.after.rawBytes(), "4194304");
}

TEST_F(ChangePanelTest, MarksAChangeWhoseAnswerWasLostWithItsPreviousValue) {
  m_request.kind = SettingKind::socketOption;
  m_changes.current.rows = {{"SO_SNDBUF", "65536", "4194304", ""}};
  m_panel.setSnapshot(test::snapshotWithDetail({test::ObservationBuilder().at(Milliseconds(500)).build()}));
  m_panel.preview(m_request, {}, {});
  m_changes.current.phase = HostChangePhase::unknown;
  m_changes.current.rows.front().now.reset();
  m_panel.poll();
  m_changes.current.phase = HostChangePhase::previewing;
  m_panel.poll();
  m_changes.current.rows.front().now = "4194304";
  nowInForce(std::nullopt);
  ASSERT_EQ(m_port.wanted.changeMarks.size(), 1U);
  EXPECT_EQ(m_port.wanted.changeMarks.front().before.rawBytes(), "65536");
}

TEST_F(ChangePanelTest, ReportsAnUnknownStateAndRefreshes) {
  m_panel.preview(m_request, {}, {});
  m_changes.current.phase = HostChangePhase::unknown;
  m_panel.poll();
  EXPECT_TRUE(m_panel.headline().startsWith(QStringLiteral("Unknown whether the change is active on receiver")));
  EXPECT_FALSE(offers(QStringLiteral("Apply")));
  EXPECT_FALSE(offers(QStringLiteral("Undo it")));
  EXPECT_TRUE(offers(QStringLiteral("Back")));
  button(QStringLiteral("Refresh"))->click();
  EXPECT_EQ(m_changes.refreshes, 1);
}

TEST_F(ChangePanelTest, OffersTheCommandLineForCopying) {
  m_panel.preview(m_request, {}, {});
  EXPECT_FALSE(offers(QStringLiteral("Copy the command")));
  m_changes.current.notice = "sudo asks for a password:";
  m_changes.current.byHand = "sudo tcpscope-cli apply 'a=<b>x</b>'";
  m_panel.poll();
  EXPECT_EQ(m_panel.lineByHand(), QStringLiteral("sudo tcpscope-cli apply 'a=<b>x</b>'"));
  button(QStringLiteral("Copy the command"))->click();
  EXPECT_EQ(QGuiApplication::clipboard()->text(), m_panel.lineByHand());
  EXPECT_TRUE(offers(QStringLiteral("Refresh")));
}

TEST_F(ChangePanelTest, ShowsWhatWentWrong) {
  m_changes.current.notice = "another program changed it";
  m_panel.preview(m_request, {}, {});
  EXPECT_EQ(m_panel.notice(), QStringLiteral("another program changed it"));
}

}  // namespace
}  // namespace tcpscope
