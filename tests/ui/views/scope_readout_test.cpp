// What the scope reads under the pointer and between cursors, its menu and its wall-clock axis.
#include <gtest/gtest.h>

#include <QAction>
#include <QCoreApplication>
#include <QLabel>
#include <QMenu>
#include <QMouseEvent>
#include <QPixmap>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "tests/ui/support/recording_port.h"
#include "tests/ui/support/watched_sender.h"
#include "ui/text/plain_text.h"
#include "ui/views/scope/scope_view.h"

namespace tcpscope {
namespace {

class ScopeReadoutTest : public testing::Test {
protected:
  template <class ViewType>
  void show(ViewType& view, const SnapshotPointer& snapshot) {
    m_selection.setConnection(m_sender.id());
    view.resize(1280, 800);
    view.setSelection(m_selection);
    view.setSnapshot(snapshot);
    view.grab();
    QCoreApplication::processEvents();
  }
  /// For looking at by eye: TCPSCOPE_PICTURES names the folder.
  static void keepPicture(QWidget& view, const QString& name) {
    const QString folder = qEnvironmentVariable("TCPSCOPE_PICTURES");
    QCoreApplication::processEvents();
    const QPixmap picture = view.grab();
    if (!folder.isEmpty()) picture.save(folder + QLatin1Char('/') + name + QStringLiteral(".png"));
  }
  static void press(QWidget& view, const QString& text) {
    for (QAction* action : view.actions()) {
      if (action->text() == text) return action->trigger();
    }
    FAIL() << "no action " << text.toStdString();
  }

  test::WatchedSender m_sender;
  test::RecordingPort m_port;
  Selection m_selection;
  ControlState m_control{m_port};
  ViewContext m_context{m_selection, m_control};
};

TEST_F(ScopeReadoutTest, EveryTraceIsReadUnderThePointer) {
  ScopeView view(m_context);
  const SnapshotPointer snapshot = m_sender.runFor(Milliseconds(4000));
  show(view, snapshot);
  const auto& history = snapshot->details.at(m_sender.id())->history;
  const Moment at = *history.lastTime() - Milliseconds(500);
  const QString text = view.readoutAt(at, QStringLiteral("2 × retransmission"));
  EXPECT_EQ(text.count(QLatin1Char('\n')), static_cast<int>(view.traces().size()) + 1);
  for (const Trace& trace : view.traces().traces()) {
    EXPECT_TRUE(text.contains(trace.source.title() + QStringLiteral(": "))) << qPrintable(text);
  }
  EXPECT_TRUE(text.endsWith(QStringLiteral("2 × retransmission")));
  QString pointed;
  auto* plot = view.findChild<TracePlot*>();
  QObject::connect(plot, &TracePlot::pointedAt,
                   [&](Moment moment, const QPoint&, const QString&) { pointed = view.readoutAt(moment); });
  auto* inner = plot->findChild<QWidget*>();
  QTest::mouseMove(inner, QPoint(inner->width() / 2, inner->height() / 2));
  QMouseEvent move(QEvent::MouseMove, QPointF(inner->width() / 2, inner->height() / 2),
                   inner->mapToGlobal(QPointF(inner->width() / 2, inner->height() / 2)), Qt::NoButton, Qt::NoButton,
                   Qt::NoModifier);
  QCoreApplication::sendEvent(inner, &move);
  EXPECT_TRUE(pointed.contains(QStringLiteral("Send rate"))) << qPrintable(pointed);
}

TEST_F(ScopeReadoutTest, WhereSamplesAreMissingNothingIsRead) {
  ScopeView view(m_context);
  auto snapshot = std::make_shared<SessionSnapshot>(*m_sender.runFor(Milliseconds(4000)));
  auto detail = std::make_shared<ConnectionDetail>(*snapshot->details.at(m_sender.id()));
  // Between two samples of the first second.
  const Moment hole = *detail->history.firstTime() + Milliseconds(1000);
  detail->events.push_back({hole, HistoryEventKind::gap});
  snapshot->details[m_sender.id()] = detail;
  show(view, snapshot);
  EXPECT_TRUE(view.readoutAt(hole - Nanoseconds(1)).contains(QStringLiteral("not sampled")));
  EXPECT_FALSE(view.readoutAt(hole + Milliseconds(500)).contains(QStringLiteral("not sampled")));
}

TEST_F(ScopeReadoutTest, CursorAAloneReadsEveryTrace) {
  ScopeView view(m_context);
  show(view, m_sender.runFor(Milliseconds(9000)));
  press(view, QStringLiteral("Cursor A"));
  auto* table = view.findChild<QTableView*>();
  EXPECT_FALSE(table->isColumnHidden(TraceTableModel::atA));
  EXPECT_TRUE(table->isColumnHidden(TraceTableModel::atB));
  EXPECT_TRUE(table->isColumnHidden(TraceTableModel::inSpan));
  EXPECT_NE(table->model()->index(0, TraceTableModel::atA).data().toString(), QStringLiteral("–"));
  bool isSaid = false;
  for (const QLabel* label : view.findChildren<QLabel*>())
    isSaid = isSaid ||
             (label->text().startsWith(QStringLiteral("A at ")) && label->text().contains(QStringLiteral(" at A")));
  EXPECT_TRUE(isSaid);
}

TEST_F(ScopeReadoutTest, BetweenTheCursorsSlopeAndWhatSwingsAreMeasured) {
  ScopeView view(m_context);
  const SnapshotPointer snapshot = m_sender.runFor(Milliseconds(9000));
  show(view, snapshot);
  m_selection.setSpan(TimeSpan{*snapshot->details.at(m_sender.id())->history.firstTime(),
                               *snapshot->details.at(m_sender.id())->history.lastTime()});
  view.setSelection(m_selection);
  const auto& readings = view.findChild<TraceTableModel*>()->readings();
  // The drawn peer window swings with a period of 2π · 9 samples of 20 ms.
  const auto window = std::find_if(readings.begin(), readings.end(),
                                   [](const TraceReading& one) { return one.source == Metric::sndWnd; });
  ASSERT_NE(window, readings.end());
  EXPECT_TRUE(window->cursors.measured.slopePerSecond);
  ASSERT_TRUE(window->cursors.measured.frequencyHz);
  EXPECT_NEAR(*window->cursors.measured.frequencyHz, 1.0 / (2.0 * 3.14159 * 9 * 0.02), 0.05);
  const auto row = static_cast<int>(window - readings.begin());
  const auto* model = view.findChild<TraceTableModel*>();
  const QString text = model->index(row, TraceTableModel::inSpan).data().toString();
  for (const char* part : {"min ", "max ", "mean ", "slope ", "frequency ", "duty cycle "})
    EXPECT_TRUE(text.contains(QLatin1String(part))) << qPrintable(text);
}

TEST_F(ScopeReadoutTest, TheMenuOfThePlotFitsZoomsAndAutoscales) {
  ScopeView view(m_context);
  const SnapshotPointer snapshot = m_sender.runFor(Milliseconds(9000));
  show(view, snapshot);
  const auto& history = snapshot->details.at(m_sender.id())->history;
  const auto choose = [&](const QString& text, Moment at) {
    QMenu menu;
    view.fillPlotMenu(menu, at);
    for (QAction* action : menu.actions()) {
      if (action->text() == text && action->isEnabled()) return action->trigger();
    }
    FAIL() << "not offered: " << text.toStdString();
  };
  const Moment from = *history.lastTime() - Milliseconds(3000);
  choose(QStringLiteral("Cursor A here"), from);
  choose(QStringLiteral("Cursor B here"), from + Milliseconds(900));
  EXPECT_EQ(view.cursors().span(), (TimeSpan{from, from + Milliseconds(900)}));
  choose(QStringLiteral("Zoom to cursors"), from);
  EXPECT_EQ(view.acquisition().timeBase().perDivision(), Milliseconds(100));
  const TimeSpan zoomed = *view.acquisition().screen();
  EXPECT_LE(zoomed.from, from);
  EXPECT_GE(zoomed.to, from + Milliseconds(900));
  press(view, QStringLiteral("Increase trace scale"));
  EXPECT_FALSE(view.traces().traces()[0].scale.isAutomatic());
  choose(QStringLiteral("Autoscale"), from);
  EXPECT_TRUE(view.traces().traces()[0].scale.isAutomatic());
  choose(QStringLiteral("Fit all"), from);
  const TimeSpan whole = *view.acquisition().screen();
  EXPECT_LE(whole.from, *history.firstTime());
  EXPECT_GE(whole.to, *history.lastTime());
}

TEST_F(ScopeReadoutTest, TheTimeAxisShowsWallClockTimeByChoice) {
  const QTemporaryDir folder;
  QSettings settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
  ScopeView view(m_context);
  show(view, m_sender.runFor(Milliseconds(4000)));
  const auto& frame = view.findChild<TracePlot*>()->frame();
  EXPECT_FALSE(frame.wallClock);
  press(view, QStringLiteral("Wall-clock time axis"));
  EXPECT_TRUE(frame.wallClock);
  EXPECT_TRUE(frame.referenceText.startsWith(QStringLiteral("local time"))) << qPrintable(frame.referenceText);
  keepPicture(view, QStringLiteral("scope-wall-clock"));
  view.saveSettings(settings);
  ScopeView other(m_context);
  other.restoreSettings(settings);
  show(other, m_sender.runFor(Milliseconds(4000)));
  EXPECT_TRUE(other.findChild<TracePlot*>()->frame().wallClock);
}

}  // namespace
}  // namespace tcpscope
