// Figure 5: processor time of the GUI thread for each event while the list shows 50,000 connections: new snapshots in
// which a twentieth changes, painting, scrolling, sorting, typing a filter. The analysis runs outside of the events, as
// on its own thread.
#include <fmt/core.h>

#include <QApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QTableView>
#include <QWheelEvent>

#include "core/session/analysis_session.h"
#include "tests/bench/measurement.h"
#include "tests/support/observation_builder.h"
#include "ui/views/connection_list/connection_list_view.h"

namespace {

using namespace tcpscope;
using namespace tcpscope::bench;
using namespace std::chrono_literals;

/// Zero of the observations' clock.
constexpr Moment kStart = Moment::fromNanoseconds(1'000'000'000);

/// Notes what each event costs, those that are handled within another one included in it.
class MeasuredApplication final : public QApplication {
public:
  using QApplication::QApplication;
  bool notify(QObject* receiver, QEvent* event) override {
    if (m_depth > 0) return QApplication::notify(receiver, event);
    ++m_depth;
    bool handled = false;
    m_seconds.push_back(threadCpuOf([&] { handled = QApplication::notify(receiver, event); }));
    --m_depth;
    return handled;
  }
  [[nodiscard]] std::vector<double>& seconds() { return m_seconds; }

private:
  int m_depth = 0;
  std::vector<double> m_seconds;
};

/// A session over connections that only exist here.
class SyntheticSession final : public SessionPort {
public:
  explicit SyntheticSession(std::size_t count) : m_acked(count, 1'000'000) {
    advance(1.0);
    advance(1.0);
  }

  [[nodiscard]] std::shared_ptr<const SessionSnapshot> latest() const override { return m_latest; }
  void setControl(const SessionControl& control) override { m_wanted = control; }

  /// One poll later: this share of the connections sent something.
  void advance(double share) {
    m_time += 1s;
    m_session.setControl(m_wanted);
    ObservationBatch batch;
    const auto step = static_cast<std::size_t>(1.0 / share);
    for (std::size_t number = m_polls++ % step; number < m_acked.size(); number += step) {
      m_acked[number] += 1000 * (number * 7919 % 1009);
      batch.changed.push_back(observe(number));
    }
    batch.dumpEndedAt = kStart + m_time;
    m_session.accept(batch);
    m_latest = m_session.tick(kStart + m_time + 1ms);
  }

private:
  [[nodiscard]] SocketObservation observe(std::size_t number) const {
    const Microseconds rtt(100 + number % 50'000);
    SocketObservation socket = test::ObservationBuilder()
                                   .at(m_time)
                                   .cookie(number + 1)
                                   .acked(m_acked[number])
                                   .rtt(rtt, Microseconds(100))
                                   .build();
    const auto low = static_cast<std::uint8_t>(number % 250 + 1);
    const auto high = static_cast<std::uint8_t>(number / 250 % 250);
    socket.remote = {IpAddress::v4({198, 51, high, low}), static_cast<std::uint16_t>(1024 + number % 60'000)};
    return socket;
  }

  std::vector<std::uint64_t> m_acked;
  AnalysisSession m_session;
  SessionControl m_wanted;
  std::shared_ptr<const SessionSnapshot> m_latest;
  Nanoseconds m_time{0};
  std::size_t m_polls = 0;
};

class ListUser {
public:
  ListUser(SyntheticSession& session, ConnectionListView& view, SnapshotFeed& feed)
      : m_session(session),
        m_feed(feed),
        m_table(*view.findChild<QTableView*>()),
        m_filter(*view.findChild<QLineEdit*>()) {}

  /// A poll's snapshot arrives, as the feed's timer would bring it, and is painted.
  void seeNews() {
    m_session.advance(0.05);
    QMetaObject::invokeMethod(
        &m_feed, [this] { m_feed.poll(); }, Qt::QueuedConnection);
    settle();
  }
  void press(QWidget& widget, int key, const QString& text = {}) {
    QApplication::postEvent(&widget, new QKeyEvent(QEvent::KeyPress, key, Qt::NoModifier, text));
    QApplication::postEvent(&widget, new QKeyEvent(QEvent::KeyRelease, key, Qt::NoModifier, text));
    settle();
  }
  void scroll() {
    const QPointF middle = m_table.viewport()->rect().center();
    QApplication::postEvent(m_table.viewport(),
                            new QWheelEvent(middle, m_table.viewport()->mapToGlobal(middle), {}, {0, -360},
                                            Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false));
    settle();
  }
  void sortByNextColumn() {
    QHeaderView& header = *m_table.horizontalHeader();
    m_column = (m_column + 1) % header.count();
    QMetaObject::invokeMethod(
        &header, [&header, column = m_column] { emit header.sectionClicked(column); }, Qt::QueuedConnection);
    settle();
  }

  void workThrough(int rounds) {
    for (int round = 0; round < rounds; ++round) {
      seeNews();
      for (int turn = 0; turn < 4; ++turn) scroll();
      press(m_table, round % 3 == 0 ? Qt::Key_End : round % 3 == 1 ? Qt::Key_Home : Qt::Key_PageDown);
      for (int turn = 0; turn < 4; ++turn) press(m_table, Qt::Key_Down);
      if (round % 4 == 1) sortByNextColumn();
      if (round % 10 == 3) type("rtt > 20ms");
      if (round % 10 == 6) {
        m_filter.clear();
        settle();
      }
    }
  }

private:
  void type(const QString& text) {
    for (const QChar letter : text) press(m_filter, 0, QString(letter));
    press(m_filter, Qt::Key_Return);
  }
  static void settle() {
    QApplication::sendPostedEvents();
    QApplication::processEvents();
    QApplication::processEvents();
  }

  SyntheticSession& m_session;
  SnapshotFeed& m_feed;
  QTableView& m_table;
  QLineEdit& m_filter;
  int m_column = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const bool quick = isQuick(argc, argv);
  const std::size_t rows = quick ? 1'000 : 50'000;
  MeasuredApplication application(argc, argv);
  SyntheticSession session(rows);
  Selection selection;
  ControlState control(session);
  ConnectionListView view({selection, control});
  SnapshotFeed feed(session);
  feed.setRefreshInterval(std::chrono::hours(1));
  QObject::connect(&feed, &SnapshotFeed::snapshotChanged, &view, &ConnectionListView::setSnapshot);
  view.resize(1280, 720);
  view.show();
  ListUser user(session, view, feed);
  user.workThrough(2);
  application.seconds().clear();
  user.workThrough(quick ? 5 : 150);
  const std::vector<double>& seconds = application.seconds();
  const double p999 = quantile(seconds, 0.999) * 1e3;
  publish({fmt::format("GUI processor time an event, {} rows, p99.9", rows),
           fmt::format("{:.2f} ms (max {:.2f}, {} events)", p999, quantile(seconds, 1.0) * 1e3, seconds.size()), "",
           p999, "ms", quick ? std::nullopt : std::optional(16.0)});
  return 0;
}
