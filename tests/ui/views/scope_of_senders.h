// A scope over bulk senders to one server, of which it shows one or several.
#pragma once

#include <gtest/gtest.h>

#include <QAction>
#include <QCoreApplication>
#include <QPixmap>

#include "core/session/analysis_session.h"
#include "tests/support/observation_builder.h"
#include "tests/ui/support/recording_port.h"
#include "ui/views/scope/scope_view.h"

namespace tcpscope::test {

/// Bulk senders of one program to one server, connection number n at n times the rate of the first.
class WatchedSenders {
public:
  explicit WatchedSenders(std::uint64_t count) : m_count(count) {
    m_control.focus = id(1);
    for (std::uint64_t number = 2; number <= count; ++number) m_control.followed.insert(id(number));
    m_session.setControl(m_control);
  }
  static ConnectionId id(std::uint64_t number) { return {PlaceId{0}, number}; }

  void setTrigger(const TriggerRequest& request) {
    m_control.trigger = request;
    m_session.setControl(m_control);
  }

  SnapshotPointer runFor(Milliseconds span) {
    const Milliseconds until = m_elapsed + span;
    for (; m_elapsed <= until; m_elapsed += Milliseconds(20)) {
      const auto sample = static_cast<std::uint32_t>(m_elapsed.count() / 20);
      ObservationBatch batch;
      for (std::uint64_t number = 1; number <= m_count; ++number) {
        const auto share = static_cast<std::uint32_t>(number);
        batch.changed.push_back(ObservationBuilder()
                                    .at(m_elapsed)
                                    .cookie(number)
                                    .local("192.0.2.1", static_cast<std::uint16_t>(50'000 + number))
                                    .acked(30'000ULL * sample * number)
                                    .dataSegmentsOut(21 * sample * share)
                                    .congestionWindow(20 * share + sample % 40)
                                    .inFlight(10 * share)
                                    .build());
      }
      m_now = batch.changed.back().takenAt;
      m_session.accept(batch);
    }
    return m_session.tick(m_now);
  }

private:
  std::uint64_t m_count;
  SessionControl m_control;
  AnalysisSession m_session;
  Milliseconds m_elapsed{0};
  Moment m_now;
};

class ScopeOfSendersTest : public testing::Test {
protected:
  ScopeOfSendersTest() {
    QObject::connect(&m_selection, &Selection::furtherChanged, [this] { update(); });
    QObject::connect(&m_selection, &Selection::connectionChanged, [this] { update(); });
  }
  /// As the window does.
  void update() {
    if (m_view == nullptr) return;
    m_view->setSelection(m_selection);
    m_view->setSnapshot(m_snapshot);
  }
  void show(ScopeView& view, const SnapshotPointer& snapshot) {
    m_view = &view;
    m_snapshot = snapshot;
    m_selection.setConnection(WatchedSenders::id(1));
    view.resize(1280, 800);
    update();
    view.grab();
    QCoreApplication::processEvents();
  }
  static void press(QWidget& view, const QString& text) {
    for (QAction* action : view.actions()) {
      if (action->text() == text) return action->trigger();
    }
    FAIL() << "no action " << text.toStdString();
  }
  /// For looking at by eye: TCPSCOPE_PICTURES names the folder.
  static void keepPicture(QWidget& view, const QString& name) {
    const QString folder = qEnvironmentVariable("TCPSCOPE_PICTURES");
    QCoreApplication::processEvents();
    const QPixmap picture = view.grab();
    if (!folder.isEmpty()) picture.save(folder + QLatin1Char('/') + name + QStringLiteral(".png"));
  }
  static const TraceFrame& frameOf(ScopeView& view) { return view.findChild<TracePlot*>()->frame(); }
  static const std::vector<TraceReading>& readingsOf(ScopeView& view) {
    return view.findChild<TraceTableModel*>()->readings();
  }

  RecordingPort m_port;
  Selection m_selection;
  ControlState m_control{m_port};
  ViewContext m_context{m_selection, m_control};
  ScopeView* m_view = nullptr;
  SnapshotPointer m_snapshot;
};

}  // namespace tcpscope::test
