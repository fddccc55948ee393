#include "ui/plots/interval_plot.h"

#include <qcustomplot.h>

#include <QEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/plots/painted_layer.h"
#include "ui/plots/plot_geometry.h"
#include "ui/plots/plot_theme.h"

namespace tcpscope {

namespace {

/// The Poisson line may leave the plot below.
constexpr double kDecadesOfLine = 2.0;

}  // namespace

DensityRange densityRange(const IntervalDensity& density) {
  double smallest = std::numeric_limits<double>::infinity();
  double largest = 0.0;
  for (const auto& bin : density.density) {
    if (!bin || *bin <= 0.0) continue;
    smallest = std::min(smallest, *bin);
    largest = std::max(largest, *bin);
  }
  if (largest == 0.0) return {};
  const double lowest = smallest * std::pow(10.0, -kDecadesOfLine);
  for (const double line : density.poissonDensity) {
    largest = std::max(largest, line);
    if (line > lowest) smallest = std::min(smallest, line);
  }
  const double from = std::pow(10.0, std::floor(std::log10(smallest)));
  return {from, std::max(std::pow(10.0, std::ceil(std::log10(largest))), 10.0 * from)};
}

struct IntervalPlot::Plot {
  QCustomPlot* widget;
};

IntervalPlot::IntervalPlot(QWidget* parent)
    : QWidget(parent), m_plot(std::make_unique<Plot>(Plot{new QCustomPlot(this)})) {
  QCustomPlot& plot = *m_plot->widget;
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(&plot);
  setMinimumHeight(160);
  plot.setFocusPolicy(Qt::NoFocus);
  plot.setAccessibleName(QStringLiteral("Density of the intervals between losses, in RTTs"));
  plot.setNotAntialiasedElements(QCP::aeAll);
  plot.axisRect()->setAutoMargins(QCP::msNone);
  plot.axisRect()->setMargins(
      QMargins(kPlotLeftMargin, fontMetrics().height() + 10, 16, 2 * fontMetrics().height() + 14));
  plot.xAxis->setRange(0.0, kIntervalEndRtt);
  plot.xAxis->setLabel(QStringLiteral("interval between losses, in RTTs"));
  plot.yAxis->setScaleType(QCPAxis::stLogarithmic);
  plot.yAxis->setTicker(QSharedPointer<QCPAxisTickerLog>::create());
  plot.yAxis->setNumberFormat(QStringLiteral("gbc"));
  plot.yAxis->setNumberPrecision(4);
  plot.yAxis->setLabel(QStringLiteral("density per RTT"));
  paintOnLayer(plot, QStringLiteral("main"), PaintArea::insideAxes,
               [this](QPainter& painter, const QRect&) { paint(painter); });
  paintOnLayer(plot, QStringLiteral("main"), PaintArea::wholePlot,
               [this](QPainter& painter, const QRect&) { paintLegend(painter); });
  setDensity({});
  applyTheme();
}

IntervalPlot::~IntervalPlot() = default;

void IntervalPlot::setDensity(IntervalDensity density) {
  m_density = std::move(density);
  const DensityRange range = densityRange(m_density);
  m_plot->widget->yAxis->setRange(range.from, range.to);
  m_plot->widget->replot(QCustomPlot::rpQueuedReplot);
}

void IntervalPlot::setMessage(const QString& message) {
  m_message = message;
  m_plot->widget->replot(QCustomPlot::rpQueuedReplot);
}

void IntervalPlot::paint(QPainter& painter) const {
  const QCustomPlot& plot = *m_plot->widget;
  const Appearance appearance = appearanceOf(palette());
  painter.setFont(font());
  if (!m_message.isEmpty()) {
    painter.setPen(quietTextColor(appearance));
    painter.drawText(plot.axisRect()->rect().adjusted(20, 20, -20, -20), Qt::AlignCenter | Qt::TextWordWrap, m_message);
    return;
  }
  const double bottom = plot.axisRect()->rect().bottom();
  const auto x = [&plot](std::size_t bin) {
    return std::round(plot.xAxis->coordToPixel(static_cast<double>(bin) * kIntervalBinRtt));
  };
  const QColor color = traceColor(0, appearance);
  for (std::size_t bin = 0; bin < m_density.density.size(); ++bin) {
    const auto& density = m_density.density[bin];
    if (!density || *density <= 0.0) continue;
    const double top = plot.yAxis->coordToPixel(*density);
    painter.fillRect(QRectF(QPointF(x(bin), top), QPointF(std::max(x(bin + 1) - 1.0, x(bin) + 1.0), bottom + 1.0)),
                     color);
  }
  QPen pen(traceColor(1, appearance), 2);
  pen.setStyle(Qt::DashLine);
  painter.setPen(pen);
  QPolygonF line;
  for (std::size_t bin = 0; bin < m_density.poissonDensity.size(); ++bin) {
    if (m_density.poissonDensity[bin] <= 0.0) break;
    const double y = plot.yAxis->coordToPixel(m_density.poissonDensity[bin]);
    line.append({(x(bin) + x(bin + 1)) / 2.0, std::min(y, bottom + 100.0)});
  }
  painter.drawPolyline(line);
}

void IntervalPlot::paintLegend(QPainter& painter) const {
  if (!m_message.isEmpty()) return;
  const Appearance appearance = appearanceOf(palette());
  painter.setFont(font());
  const QFontMetrics metrics = painter.fontMetrics();
  const double y = 4.0 + metrics.height() / 2.0;
  double left = kPlotLeftMargin;
  painter.fillRect(QRectF(left + 6.0, y - 5.0, 8.0, 10.0), traceColor(0, appearance));
  painter.setPen(axisColor(appearance));
  const QString measured = QStringLiteral("measured");
  painter.drawText(QPointF(left + 24.0, y + metrics.ascent() / 2.0 - 1.0), measured);
  left += 24.0 + metrics.horizontalAdvance(measured) + 24.0;
  QPen pen(traceColor(1, appearance), 2);
  pen.setStyle(Qt::DashLine);
  painter.setPen(pen);
  painter.drawLine(QPointF(left, y), QPointF(left + 28.0, y));
  painter.setPen(axisColor(appearance));
  painter.drawText(QPointF(left + 34.0, y + metrics.ascent() / 2.0 - 1.0),
                   QStringLiteral("Poisson process of the same rate"));
}

void IntervalPlot::applyTheme() {
  applyPlotTheme(*m_plot->widget, palette(), font());
  m_plot->widget->replot(QCustomPlot::rpQueuedReplot);
}

void IntervalPlot::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) applyTheme();
  QWidget::changeEvent(event);
}

}  // namespace tcpscope
