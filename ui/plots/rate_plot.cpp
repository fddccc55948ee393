#include "ui/plots/rate_plot.h"

#include <qcustomplot.h>

#include <QEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "core/present/text/quantity_text.h"
#include "ui/plots/axis_tickers.h"
#include "ui/plots/painted_layer.h"
#include "ui/plots/plot_theme.h"
#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"

namespace tcpscope {

namespace {

/// A bound further above the rate than this is named at the top instead of drawn to scale.
constexpr double kDrawnUpTo = 5.0;
constexpr double kHeadroom = 1.1;
constexpr double kSmallestTopBps = 1000.0;
/// Right of the graticule there is room for this much of a name.
constexpr int kNameLetters = 34;

}  // namespace

double rateAxisTop(double largestRate, const std::vector<BoundLine>& bounds) {
  const double rate = largestRate > 0.0 ? largestRate : 0.0;
  double top = rate;
  double lowestBound = std::numeric_limits<double>::infinity();
  for (const BoundLine& bound : bounds) {
    lowestBound = std::min(lowestBound, bound.rateBps);
    if (bound.rateBps <= rate * kDrawnUpTo) top = std::max(top, bound.rateBps);
  }
  // Without traffic the lowest bound is all there is to see.
  if (rate == 0.0 && std::isfinite(lowestBound)) top = lowestBound;
  top = std::max(top * kHeadroom, kSmallestTopBps);
  // To whole fifths of the axis, so that it moves in steps and not with every sample.
  return std::ceil(top / (unitsPerDivisionFor(MetricUnit::bitsPerSecond, top / 10.0))) *
         unitsPerDivisionFor(MetricUnit::bitsPerSecond, top / 10.0);
}

struct RatePlot::Plot {
  QCustomPlot* widget;
  Appearance appearance = Appearance::light;
};

RatePlot::RatePlot(QWidget* parent) : QWidget(parent), m_plot(std::make_unique<Plot>(Plot{new QCustomPlot(this)})) {
  QCustomPlot& plot = *m_plot->widget;
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(&plot);
  setMinimumHeight(140);
  plot.setFocusPolicy(Qt::NoFocus);
  plot.setAccessibleName(QStringLiteral("Goodput over time with the model bounds"));
  plot.setNotAntialiasedElements(QCP::aeAll);
  plot.axisRect()->setAutoMargins(QCP::msNone);
  plot.xAxis->setTicker(timeTicker());
  plot.yAxis->setTicker(unitTicker(MetricUnit::bitsPerSecond));
  paintOnLayer(plot, QStringLiteral("main"), PaintArea::insideAxes,
               [this](QPainter& painter, const QRect&) { paint(painter); });
  paintOnLayer(plot, QStringLiteral("main"), PaintArea::wholePlot,
               [this](QPainter& painter, const QRect&) { paintNames(painter); });
  applyTheme();
}

RatePlot::~RatePlot() = default;

void RatePlot::setRate(TraceSamples rate, TimeSpan screen, Moment reference) {
  m_rate = std::move(rate);
  m_screen = screen;
  m_reference = reference;
  applyRange();
}

void RatePlot::setBounds(std::vector<BoundLine> bounds) {
  m_bounds = std::move(bounds);
  applyRange();
}

void RatePlot::applyRange() {
  if (m_screen.to <= m_screen.from) return;
  m_topBps = rateAxisTop(m_rate.largest, m_bounds);
  m_plot->widget->xAxis->setRange(toSeconds(m_screen.from - m_reference), toSeconds(m_screen.to - m_reference));
  m_plot->widget->yAxis->setRange(0, m_topBps);
  m_plot->widget->replot(QCustomPlot::rpQueuedReplot);
}

int RatePlot::rightMargin(const QFontMetrics& letters) {
  return letters.averageCharWidth() * kNameLetters;
}

QRectF RatePlot::area() const {
  return QRectF(m_plot->widget->axisRect()->rect());
}

std::size_t RatePlot::columns() const {
  return static_cast<std::size_t>(std::max(1.0, area().width() * devicePixelRatioF()));
}

double RatePlot::yOf(double rateBps) const {
  return area().bottom() - rateBps / m_topBps * area().height();
}

void RatePlot::paint(QPainter& painter) const {
  if (m_screen.to <= m_screen.from) return;
  const PlotGeometry shown{area(), m_screen};
  for (std::size_t index = 0; index < m_bounds.size(); ++index) {
    if (m_bounds[index].rateBps > m_topBps) continue;
    QPen pen(traceColor(static_cast<int>(index) + 1, m_plot->appearance), traceWidth(font()));
    pen.setStyle(traceLine(static_cast<int>(index) + 1));
    painter.setPen(pen);
    const double y = std::round(yOf(m_bounds[index].rateBps));
    painter.drawLine(QPointF(shown.area.left(), y), QPointF(shown.area.right(), y));
  }
  painter.setPen(QPen(traceColor(0, m_plot->appearance), traceWidth(font())));
  QPolygonF line;
  for (const TraceSamples::Point& point : m_rate.points) {
    if (std::isfinite(point.last)) {
      // Highest and lowest of a column: what is between them was reached.
      if (m_rate.decimated) line.append({shown.xOf(point.time), yOf(point.smallest)});
      line.append({shown.xOf(point.time), yOf(m_rate.decimated ? point.largest : point.last)});
    } else {
      painter.drawPolyline(line);
      line.clear();
    }
  }
  painter.drawPolyline(line);
}

void RatePlot::paintNames(QPainter& painter) const {
  painter.setFont(font());
  const double height = painter.fontMetrics().height() + 2.0;
  std::vector<std::size_t> order(m_bounds.size());
  for (std::size_t index = 0; index < order.size(); ++index) order[index] = index;
  // From the top edge downwards: the highest bound first.
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return m_bounds[a].rateBps > m_bounds[b].rateBps; });
  double next = area().top() - 6.0;
  const double room = area().bottom() - height * static_cast<double>(order.size());
  double left = 0.0;
  for (const std::size_t index : order) {
    const BoundLine& bound = m_bounds[index];
    const bool above = bound.rateBps > m_topBps;
    const double wanted = above ? next : yOf(bound.rateBps) - height / 2.0;
    const double y = std::max(std::min(wanted, room + left * height), next);
    next = y + height;
    left += 1.0;
    const QRectF box(area().right() + 6.0, y, rightMargin(fontMetrics()) - 8.0, height);
    painter.setPen(traceColor(static_cast<int>(index) + 1, m_plot->appearance));
    // Of a long line the name is cut, and not the figure.
    const QString figure = QStringLiteral(" ") + toQString(formatRate(BitsPerSecond(bound.rateBps)));
    const QFontMetrics metrics = painter.fontMetrics();
    const QString name = metrics.elidedText((above ? QStringLiteral("↑ ") : QString()) + bound.label, Qt::ElideRight,
                                            static_cast<int>(box.width()) - metrics.horizontalAdvance(figure));
    painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, name + figure);
  }
}

void RatePlot::applyTheme() {
  QCustomPlot& plot = *m_plot->widget;
  m_plot->appearance = appearanceOf(palette());
  applyPlotTheme(plot, palette(), font());
  const int below = timeLabelPadding(fontMetrics());
  plot.xAxis->setTickLabelPadding(below);
  plot.axisRect()->setMargins(
      QMargins(plotLeftMargin(fontMetrics()), 10, rightMargin(fontMetrics()), fontMetrics().height() + 5 + below));
  plot.replot(QCustomPlot::rpQueuedReplot);
}

void RatePlot::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  emit resized();
}

void RatePlot::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) applyTheme();
  QWidget::changeEvent(event);
}

}  // namespace tcpscope
