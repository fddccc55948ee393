#include "ui/views/advice/advice_view.h"

#include <gtest/gtest.h>

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTreeWidget>

#include "core/session/analysis_session.h"
#include "tests/support/observation_builder.h"
#include "tests/ui/support/recording_port.h"
#include "tests/ui/support/scripted_changes.h"
#include "ui/views/advice/change_panel.h"

namespace tcpscope {
namespace {

using test::ObservationBuilder;

/// A sender whose peer advertises 64 KiB over 20 ms: that window is used up all the time.
class HeldSender {
public:
  HeldSender() {
    m_control.focus = ObservationBuilder().build().id;
    m_session.setControl(m_control);
  }
  SnapshotPointer runFor(Milliseconds span) {
    for (const Milliseconds until = m_elapsed + span; m_elapsed < until; m_elapsed += Milliseconds(100)) {
      const auto number = static_cast<std::uint32_t>(m_elapsed.count() / 100);
      ObservationBatch batch;
      batch.changed.push_back(ObservationBuilder()
                                  .at(m_elapsed)
                                  .rtt(Milliseconds(20), Milliseconds(20))
                                  .windowScales(1, 7)
                                  .acked(327'675ULL * number)
                                  .dataSegmentsOut(226 * number)
                                  .peerWindow(65'535)
                                  .congestionWindow(80)
                                  .inFlight(45)
                                  .notSent(2'000'000)
                                  .chronographs(m_elapsed, m_elapsed)
                                  .build());
      m_now = batch.changed.back().takenAt;
      m_session.accept(batch);
    }
    return m_session.tick(m_now);
  }
  [[nodiscard]] ConnectionId id() const { return *m_control.focus; }

private:
  SessionControl m_control;
  AnalysisSession m_session;
  Milliseconds m_elapsed{0};
  Moment m_now;
};

/// A sender without selective acknowledgments that loses a packet in a hundred, without a queue.
SnapshotPointer losingSender(ConnectionId& id) {
  constexpr std::uint8_t kTimestampsAndScale = 5;
  SessionControl control;
  control.focus = id = ObservationBuilder().build().id;
  AnalysisSession session;
  session.setControl(control);
  Moment now;
  for (std::uint32_t poll = 0; poll < 60; ++poll) {
    const Milliseconds elapsed(100 * poll);
    ObservationBatch batch;
    batch.changed.push_back(ObservationBuilder()
                                .at(elapsed)
                                .options(kTimestampsAndScale)
                                .acked(144'800ULL * poll)
                                .dataSegmentsOut(100 * poll)
                                .retransmitted(poll)
                                .congestionWindow(20)
                                .inFlight(20)
                                .notSent(2'000'000)
                                .chronographs(elapsed)
                                .build());
    now = batch.changed.back().takenAt;
    session.accept(batch);
  }
  return session.tick(now);
}

class AdviceViewTest : public testing::Test {
protected:
  AdviceViewTest() {
    m_selection.setConnection(m_sender.id());
    m_view.resize(1000, 700);
    m_view.setSelection(m_selection);
    m_view.setSnapshot(m_sender.runFor(std::chrono::seconds(6)));
  }
  static Ports portsWith(ChangePort& changes) {
    Ports ports;
    ports.changes = &changes;
    return ports;
  }
  QLineEdit& field(int index) { return *m_view.findChildren<QLineEdit*>().at(index); }
  QPushButton* button(const QString& text) { return buttonOf(m_view, text); }
  static QPushButton* buttonOf(const AdviceView& view, const QString& text) {
    for (QPushButton* button : view.findChildren<QPushButton*>()) {
      if (button->text().remove(u'&') == text) return button;
    }
    return nullptr;
  }
  [[nodiscard]] bool says(const QString& text) const { return m_view.description().contains(text); }

  HeldSender m_sender;
  test::RecordingPort m_port;
  Selection m_selection;
  ControlState m_control{m_port};
  AdviceView m_view{ViewContext{m_selection, m_control}};
};

TEST_F(AdviceViewTest, ShowsTheVerdictAndTheFirstRemedyInFull) {
  EXPECT_TRUE(m_view.headline().contains(QStringLiteral("receive window"))) << m_view.headline().toStdString();
  EXPECT_EQ(m_view.remark(), QString());
  EXPECT_TRUE(says(QStringLiteral("To send: A TCP connection to your host"))) << m_view.description().toStdString();
}

TEST_F(AdviceViewTest, ForecastsForTheEnteredTarget) {
  field(0).setText(QStringLiteral("100Mbit"));
  EXPECT_TRUE(says(QStringLiteral("100 Mbit/s if the path carries it"))) << m_view.description().toStdString();
  EXPECT_EQ(m_view.goalHint(), QString());
  EXPECT_TRUE(m_view.remark().startsWith(QStringLiteral("100 Mbit/s over 20.0 ms "))) << m_view.remark().toStdString();
  EXPECT_TRUE(
      m_view.remark().contains(QStringLiteral("For 100 Mbit/s at an RTT of 20.0 ms the path may lose at most one")))
      << m_view.remark().toStdString();
}

TEST_F(AdviceViewTest, ExplainsAnInvalidFieldAndIgnoresIt) {
  const QString before = m_view.description();
  field(0).setText(QStringLiteral("fast"));
  EXPECT_TRUE(m_view.goalHint().startsWith(QStringLiteral("Takes"))) << m_view.goalHint().toStdString();
  EXPECT_EQ(m_view.description(), before);
  field(0).clear();
  EXPECT_EQ(m_view.goalHint(), QString());
}

TEST_F(AdviceViewTest, AdvisesForLatencyWhenAsked) {
  auto* aim = m_view.findChild<QComboBox*>();
  aim->setCurrentIndex(1);
  emit aim->activated(1);
  EXPECT_TRUE(says(QStringLiteral("net.ipv4.tcp_notsent_lowat"))) << m_view.description().toStdString();
}

TEST_F(AdviceViewTest, KeepsTextInWhichTheUserSelects) {
  auto* text = m_view.findChild<QPlainTextEdit*>();
  text->selectAll();
  const QString selected = text->textCursor().selectedText();
  field(0).setText(QStringLiteral("50Mbit"));
  EXPECT_EQ(text->textCursor().selectedText(), selected);
}

TEST_F(AdviceViewTest, ShowsTheChosenRemedyWhateverWasSelectedInTheText) {
  ConnectionId id;
  const SnapshotPointer losing = losingSender(id);
  m_selection.setConnection(id);
  m_view.setSnapshot(losing);
  auto* list = m_view.findChild<QTreeWidget*>();
  ASSERT_EQ(list->topLevelItemCount(), 2) << m_view.headline().toStdString();
  const QString first = m_view.description();
  m_view.findChild<QPlainTextEdit*>()->selectAll();
  list->setCurrentItem(list->topLevelItem(1));
  EXPECT_NE(m_view.description(), first);
}

TEST_F(AdviceViewTest, CopiesTheLetterToThePeer) {
  button(QStringLiteral("Copy the lines"))->click();
  EXPECT_TRUE(QGuiApplication::clipboard()->text().startsWith(QStringLiteral("A TCP connection to your host")));
}

TEST_F(AdviceViewTest, AdvisesOnACaptureAsTheReportDoes) {
  auto snapshot = std::make_shared<SessionSnapshot>(*m_sender.runFor(std::chrono::seconds(1)));
  Place place;
  place.id = m_sender.id().place;
  place.isCapture = true;
  snapshot->places = {place};
  m_view.setSnapshot(snapshot);
  EXPECT_TRUE(m_view.headline().contains(QStringLiteral("receive window"))) << m_view.headline().toStdString();
  EXPECT_TRUE(says(QStringLiteral("tcp_rmem"))) << m_view.description().toStdString();
}

TEST_F(AdviceViewTest, ExplainsWhyThereIsNoAdvice) {
  m_selection.setConnection(std::nullopt);
  m_view.setSelection(m_selection);
  EXPECT_FALSE(m_view.headline().isEmpty());
  EXPECT_EQ(m_view.description(), QString());
  EXPECT_FALSE(button(QStringLiteral("Copy the lines"))->isVisibleTo(&m_view));
}

TEST_F(AdviceViewTest, OffersAChangeOnlyForThisHostAndWhereItCanBeApplied) {
  QPushButton* const preview = button(QStringLiteral("Preview the change…"));
  EXPECT_FALSE(preview->isVisibleTo(&m_view)) << "nothing can be changed from here";
  test::ScriptedChanges changes;
  AdviceView view({m_selection, m_control, portsWith(changes)});
  view.setSnapshot(m_sender.runFor(std::chrono::seconds(1)));
  const QPushButton* const offered = buttonOf(view, QStringLiteral("Preview the change…"));
  EXPECT_TRUE(offered->isVisibleTo(&view));
  EXPECT_FALSE(offered->isEnabled()) << "the other end has to act";
}

TEST_F(AdviceViewTest, ShowsTheChangeInPlaceOfTheAdviceUntilItIsOver) {
  test::ScriptedChanges changes;
  AdviceView view({m_selection, m_control, portsWith(changes)});
  view.setSnapshot(m_sender.runFor(std::chrono::seconds(1)));
  const auto* remedies = view.findChild<QTreeWidget*>(QStringLiteral("remedies"));
  EXPECT_TRUE(remedies->isVisibleTo(&view));
  view.changePanel()->preview({}, {}, {});
  EXPECT_TRUE(view.changePanel()->isVisibleTo(&view));
  EXPECT_FALSE(remedies->isVisibleTo(&view));
  view.setSnapshot(m_sender.runFor(std::chrono::seconds(1)));
  EXPECT_FALSE(remedies->isVisibleTo(&view));
  changes.forget();
  view.changePanel()->poll();
  EXPECT_TRUE(remedies->isVisibleTo(&view));
}

TEST_F(AdviceViewTest, AFixPreviewsTheFirstChangeThatCanBeMadeHere) {
  test::ScriptedChanges changes;
  ConnectionId id;
  auto snapshot = std::make_shared<SessionSnapshot>(*losingSender(id));
  Place here;
  here.id = id.place;
  snapshot->places = {here};
  m_selection.setConnection(id);
  AdviceView view({m_selection, m_control, portsWith(changes)});
  view.setSnapshot(snapshot);
  view.beginFix();
  ASSERT_EQ(changes.previewed.size(), 1U);
  EXPECT_EQ(changes.previewed[0].changes.at(0).key, "net.ipv4.tcp_congestion_control");
  EXPECT_EQ(changes.current.phase, HostChangePhase::previewed) << "nothing is applied before it is asked for";
  view.beginFix();
  EXPECT_EQ(changes.previewed.size(), 1U) << "one change at a time";
}

TEST_F(AdviceViewTest, AFixIsMadeAtTheEndThatHasOne) {
  test::ScriptedChanges changes;
  ConnectionId withFix;
  auto snapshot = std::make_shared<SessionSnapshot>(*losingSender(withFix));
  // The same connection, as the other host sees it.
  ConnectionDetail peer = *m_sender.runFor(std::chrono::seconds(1))->details.at(m_sender.id());
  const SocketObservation& own = snapshot->details.at(withFix)->socket;
  peer.socket.id.place = PlaceId{1};
  peer.socket.local = own.remote;
  peer.socket.remote = own.local;
  const ConnectionId selected = peer.socket.id;
  snapshot->details.emplace(selected, std::make_shared<const ConnectionDetail>(peer));
  Place here;
  here.id = withFix.place;
  Place there;
  there.id = PlaceId{1};
  snapshot->places = {here, there};
  m_selection.setConnection(selected);
  AdviceView view({m_selection, m_control, portsWith(changes)});
  view.setSnapshot(snapshot);
  view.beginFix();
  EXPECT_EQ(m_selection.connection(), withFix);
  ASSERT_EQ(changes.previewed.size(), 1U);
  EXPECT_EQ(changes.previewed[0].place.id, withFix.place);
}

TEST_F(AdviceViewTest, WhereThePeerHasToActAFixSaysSo) {
  test::ScriptedChanges changes;
  AdviceView view({m_selection, m_control, portsWith(changes)});
  view.setSnapshot(m_sender.runFor(std::chrono::seconds(1)));
  view.beginFix();
  EXPECT_TRUE(changes.previewed.empty());
  EXPECT_TRUE(view.remark().contains(QStringLiteral("says who can"))) << view.remark().toStdString();
  view.setSelection(m_selection);
  EXPECT_FALSE(view.remark().contains(QStringLiteral("says who can")));
}

}  // namespace
}  // namespace tcpscope
