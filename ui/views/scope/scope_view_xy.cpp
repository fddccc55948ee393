// The scope in XY mode: one metric against another, of every connection on the screen.
#include <QAction>
#include <QMenu>
#include <QStackedWidget>
#include <QToolButton>
#include <array>
#include <cmath>

#include "ui/plots/xy_plot.h"
#include "ui/text/plain_text.h"
#include "ui/views/scope/scope_view.h"
#include "ui/widgets/plot_pane.h"

namespace tcpscope {

namespace {

/// What the field draws: the sawtooth against the queue that it fills, and how much a larger window still brings.
constexpr std::array kUsualPairs = {
    XyChoice{Metric::rtt, Metric::congestionWindowBytes},
    XyChoice{Metric::inFlightBytes, Metric::sendGoodput},
    XyChoice{Metric::rtt, Metric::sendGoodput},
    XyChoice{Metric::sndWnd, Metric::inFlightBytes},
};

QString pairTitle(const XyChoice& pair) {
  return QStringLiteral("%1 against %2").arg(toQString(metricRow(pair.y).title), toQString(metricRow(pair.x).title));
}

void adaptTo(XyAxis& axis, const std::vector<XySeries>& series, double XyPoint::*value) {
  double smallest = std::nan("");
  double largest = std::nan("");
  for (const XySeries& one : series) {
    for (const XyPoint& point : one.points) {
      smallest = std::fmin(smallest, point.*value);
      largest = std::fmax(largest, point.*value);
    }
  }
  axis.adapt(smallest, largest);
}

}  // namespace

QToolButton* ScopeView::buildXyButton() {
  m_showsXy = addViewAction(*this, QStringLiteral("XY: one metric against another"), {Qt::Key_X},
                            [this] { setXy(m_xy ? std::nullopt : std::optional(m_lastXy)); });
  m_showsXy->setCheckable(true);
  auto* button = new QToolButton;
  button->setText(QStringLiteral("XY"));
  button->setToolTip(QStringLiteral("Draw one metric against another (X)"));
  button->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(button);
  connect(menu, &QMenu::aboutToShow, this, [this, menu] {
    menu->clear();
    fillXyMenu(*menu);
  });
  button->setMenu(menu);
  return button;
}

void ScopeView::fillXyMenu(QMenu& menu) {
  const auto add = [this](QMenu& to, const QString& text, const std::optional<XyChoice>& choice) {
    QAction* action = to.addAction(text, this, [this, choice] { setXy(choice); });
    action->setCheckable(true);
    action->setChecked(choice == m_xy);
  };
  add(menu, QStringLiteral("Over time"), std::nullopt);
  menu.addSeparator();
  for (const XyChoice& pair : kUsualPairs) add(menu, pairTitle(pair), pair);
  const auto selected = m_traces.empty() ? std::nullopt : m_traces.at(m_selected).source.metric();
  if (!selected) return;
  QMenu* others = menu.addMenu(QStringLiteral("%1 against").arg(toQString(metricRow(*selected).title)));
  for (const Metric metric : m_traces.metrics()) {
    if (metric != *selected) add(*others, toQString(metricRow(metric).title), XyChoice{metric, *selected});
  }
  others->setEnabled(!others->isEmpty());
}

void ScopeView::setXy(const std::optional<XyChoice>& choice) {
  if (choice) {
    m_lastXy = *choice;
    m_xAxis = XyAxis(metricRow(choice->x).unit);
    m_yAxis = XyAxis(metricRow(choice->y).unit);
  }
  m_xy = choice;
  m_screens->setCurrentWidget(choice ? static_cast<QWidget*>(m_xyPlot) : m_plot);
  rescaled();
}

void ScopeView::showXy(const ConnectionDetail* detail) {
  XyFrame frame;
  frame.xTitle = toQString(metricRow(m_xy->x).title);
  frame.yTitle = toQString(metricRow(m_xy->y).title);
  const auto screen = m_acquisition.screen();
  if (detail != nullptr && screen) {
    // Between the cursors, where both are placed.
    const TimeSpan span = m_cursors.span().value_or(*screen);
    for (const ShownConnection& connection : m_shown.all()) {
      const auto record = m_records.find(connection.id);
      if (record == m_records.end()) continue;
      const QString label = m_shown.areSeveral() ? connection.name : QString();
      frame.series.push_back({label, connection.style, xySamples(record->second, m_xy->x, m_xy->y, span)});
    }
    adaptTo(m_xAxis, frame.series, &XyPoint::x);
    adaptTo(m_yAxis, frame.series, &XyPoint::y);
    bool isEmpty = true;
    for (const XySeries& series : frame.series) isEmpty = isEmpty && series.points.empty();
    if (isEmpty) frame.message = QStringLiteral("No sample of this time reports both");
  } else {
    frame.message =
        m_snapshot ? whyNoDetail(m_snapshot, context().selection) : QStringLiteral("Waiting for the first samples");
  }
  frame.x = m_xAxis;
  frame.y = m_yAxis;
  m_xyPlot->setFrame(std::move(frame));
}

}  // namespace tcpscope
