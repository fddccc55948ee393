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
  plot.setAccessibleName(QStringLiteral("Intervals between losses, in RTTs"));
  plot.setNotAntialiasedElements(QCP::aeAll);
  plot.axisRect()->setAutoMargins(QCP::msNone);
  plot.xAxis->setLabel(QStringLiteral("interval between losses, in RTTs"));
  for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) {
    axis->setNumberFormat(QStringLiteral("gbc"));
    axis->setNumberPrecision(4);
  }
  paintOnLayer(plot, QStringLiteral("main"), PaintArea::insideAxes,
               [this](QPainter& painter, const QRect&) { paint(painter); });
  paintOnLayer(plot, QStringLiteral("main"), PaintArea::wholePlot,
               [this](QPainter& painter, const QRect&) { paintLegend(painter); });
  connect(&plot, &QCustomPlot::mousePress, this, [this](const QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && m_plot->widget->axisRect()->rect().contains(event->pos()))
      click(event->position().x());
  });
  showShares({});
  applyTheme();
}

IntervalPlot::~IntervalPlot() = default;

/// One axis is logarithmic, the other is not: over decades of time shares are linear.
void IntervalPlot::useAxes(bool isLogarithmic, const QString& valueLabel) {
  QCustomPlot& plot = *m_plot->widget;
  QCPAxis& logarithmic = isLogarithmic ? *plot.xAxis : *plot.yAxis;
  QCPAxis& linear = isLogarithmic ? *plot.yAxis : *plot.xAxis;
  logarithmic.setScaleType(QCPAxis::stLogarithmic);
  logarithmic.setTicker(QSharedPointer<QCPAxisTickerLog>::create());
  linear.setScaleType(QCPAxis::stLinear);
  linear.setTicker(QSharedPointer<QCPAxisTicker>::create());
  plot.yAxis->setLabel(valueLabel);
}

void IntervalPlot::setBins(std::vector<Bin> bins) {
  m_bins = std::move(bins);
  if (m_selected && (*m_selected >= m_bins.size() || !m_bins[*m_selected].measured)) m_selected.reset();
  m_plot->widget->replot(QCustomPlot::rpQueuedReplot);
}

void IntervalPlot::showShares(const IntervalShares& shares) {
  constexpr double kPercent = 100.0;
  constexpr double kHeadroom = 1.1;
  useAxes(true, QStringLiteral("share of the intervals, %"));
  std::vector<Bin> bins;
  double largest = 0.0;
  for (std::size_t bin = 0; bin < shares.measured.size(); ++bin) {
    Bin one{shares.edgesRtt[bin], shares.edgesRtt[bin + 1], {}, {}};
    if (shares.measured[bin] > 0.0) one.measured = kPercent * shares.measured[bin];
    if (!shares.poisson.empty()) one.poisson = kPercent * shares.poisson[bin];
    largest = std::max({largest, one.measured.value_or(0.0), one.poisson.value_or(0.0)});
    bins.push_back(one);
  }
  QCustomPlot& plot = *m_plot->widget;
  plot.xAxis->setRange(bins.empty() ? 0.01 : bins.front().from, bins.empty() ? 1.0 : bins.back().to);
  plot.yAxis->setRange(0.0, largest > 0.0 ? kHeadroom * largest : kPercent);
  setBins(std::move(bins));
}

void IntervalPlot::showDensity(const IntervalDensity& density) {
  useAxes(false, QStringLiteral("density per RTT"));
  std::vector<Bin> bins;
  for (std::size_t bin = 0; bin < density.density.size(); ++bin) {
    const double from = static_cast<double>(bin) * kIntervalBinRtt;
    Bin one{from, from + kIntervalBinRtt, density.density[bin], {}};
    if (one.measured && *one.measured <= 0.0) one.measured.reset();
    const bool hasLine = bin < density.poissonDensity.size() && density.poissonDensity[bin] > 0.0;
    if (hasLine) one.poisson = density.poissonDensity[bin];
    bins.push_back(one);
  }
  const DensityRange range = densityRange(density);
  m_plot->widget->xAxis->setRange(0.0, kIntervalEndRtt);
  m_plot->widget->yAxis->setRange(range.from, range.to);
  setBins(std::move(bins));
}

void IntervalPlot::select(std::optional<std::size_t> bin) {
  m_selected = bin;
  m_plot->widget->replot(QCustomPlot::rpQueuedReplot);
}

std::optional<std::size_t> IntervalPlot::neighbour(bool isNext) const {
  const auto size = static_cast<std::ptrdiff_t>(m_bins.size());
  const std::ptrdiff_t step = isNext ? 1 : -1;
  std::ptrdiff_t bin = m_selected ? static_cast<std::ptrdiff_t>(*m_selected) + step : (isNext ? 0 : size - 1);
  for (; bin >= 0 && bin < size; bin += step) {
    if (m_bins[static_cast<std::size_t>(bin)].measured) return static_cast<std::size_t>(bin);
  }
  return std::nullopt;
}

/// The whole height of a bin counts: few intervals have a low bar.
void IntervalPlot::click(double x) {
  const double rtts = m_plot->widget->xAxis->pixelToCoord(x);
  for (std::size_t bin = 0; bin < m_bins.size(); ++bin) {
    if (m_bins[bin].measured && rtts >= m_bins[bin].from && rtts < m_bins[bin].to) return emit binClicked(bin);
  }
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
  const auto x = [&plot](double rtts) { return std::round(plot.xAxis->coordToPixel(rtts)); };
  const QColor color = traceColor(0, appearance);
  for (std::size_t number = 0; number < m_bins.size(); ++number) {
    const Bin& bin = m_bins[number];
    if (!bin.measured) continue;
    const double top = plot.yAxis->coordToPixel(*bin.measured);
    const QRectF bar(QPointF(x(bin.from), top), QPointF(std::max(x(bin.to) - 1.0, x(bin.from) + 1.0), bottom + 1.0));
    painter.fillRect(bar, color);
    if (number != m_selected) continue;
    painter.setPen(QPen(cursorColor(appearance), 2));
    painter.drawRect(bar.adjusted(-2.0, -3.0, 2.0, 0.0));
  }
  QPen pen(traceColor(1, appearance), 2);
  pen.setStyle(Qt::DashLine);
  painter.setPen(pen);
  QPolygonF line;
  for (const Bin& bin : m_bins) {
    if (!bin.poisson) break;
    const double y = plot.yAxis->coordToPixel(*bin.poisson);
    line.append({(x(bin.from) + x(bin.to)) / 2.0, std::min(y, bottom + 100.0)});
  }
  painter.drawPolyline(line);
}

void IntervalPlot::paintLegend(QPainter& painter) const {
  if (!m_message.isEmpty()) return;
  const Appearance appearance = appearanceOf(palette());
  painter.setFont(font());
  const QFontMetrics metrics = painter.fontMetrics();
  const double y = 4.0 + metrics.height() / 2.0;
  double left = plotLeftMargin(fontMetrics());
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
  m_plot->widget->axisRect()->setMargins(
      QMargins(plotLeftMargin(fontMetrics()), fontMetrics().height() + 10, 16, 2 * fontMetrics().height() + 14));
  m_plot->widget->replot(QCustomPlot::rpQueuedReplot);
}

void IntervalPlot::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) applyTheme();
  QWidget::changeEvent(event);
}

}  // namespace tcpscope
