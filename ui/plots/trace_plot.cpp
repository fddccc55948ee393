#include "ui/plots/trace_plot.h"

#include <qcustomplot.h>

#include <QEvent>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/plots/axis_tickers.h"
#include "ui/plots/painted_layer.h"
#include "ui/plots/plot_theme.h"
#include "ui/plots/trace_painter.h"

namespace tcpscope {

namespace {

constexpr double kNarrowestLabel = 70.0;
constexpr int kLabelLetters = 34;

double labelWidthOf(const TraceFrame& frame, const QFontMetrics& metrics) {
  double widest = kNarrowestLabel;
  for (const FrameTrace& trace : frame.traces) widest = std::max(widest, metrics.horizontalAdvance(trace.label) + 16.0);
  return std::min(widest, static_cast<double>(metrics.averageCharWidth() * kLabelLetters));
}

}  // namespace

struct TracePlot::Screen {
  QCustomPlot* plot;
  Milliseconds ticksFor{0};
  /// What the wall-clock axis counts from; absent for a relative one.
  std::optional<WallTime> midnight{};
  Appearance appearance = Appearance::light;
  /// Of the labels at the lines' ends.
  double labelWidth = kNarrowestLabel;
};

struct TracePlot::Drag {
  std::optional<Cursor> cursor;
  double lastX;
};

TracePlot::TracePlot(QWidget* parent)
    : QWidget(parent), m_screen(std::make_unique<Screen>(Screen{new QCustomPlot(this)})) {
  QCustomPlot& plot = *m_screen->plot;
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(&plot);
  plot.setAccessibleName(QStringLiteral("Traces over time"));
  plot.setFocusPolicy(Qt::NoFocus);
  plot.setMinimumSize(320, 180);
  plot.setNotAntialiasedElements(QCP::aeAll);
  plot.axisRect()->setAutoMargins(QCP::msNone);
  plot.axisRect()->setupFullAxesBox(false);
  plot.yAxis->setRange(0, kValueDivisions);
  plot.addLayer(QStringLiteral("traces"), plot.layer(QStringLiteral("main")));
  paintOnLayer(plot, QStringLiteral("traces"), PaintArea::insideAxes, [this](QPainter& painter, const QRect&) {
    painter.setFont(font());
    paintTraces(painter, geometry(), m_frame, m_screen->appearance);
  });
  paintOnLayer(plot, QStringLiteral("traces"), PaintArea::wholePlot, [this](QPainter& painter, const QRect&) {
    painter.setFont(font());
    paintEndLabels(painter, geometry(), m_frame, m_screen->appearance, m_screen->labelWidth);
    paintMarks(painter, geometry(), m_frame, m_screen->appearance);
  });
  // Cursors move with a new frame only: without a buffer of its own the layer costs no second picture of the whole
  // plot.
  plot.layer(QStringLiteral("overlay"))->setMode(QCPLayer::lmLogical);
  paintOnLayer(plot, QStringLiteral("overlay"), PaintArea::insideAxes, [this](QPainter& painter, const QRect&) {
    painter.setFont(font());
    paintTrigger(painter, geometry(), m_frame, m_screen->appearance);
    paintCursors(painter, geometry(), m_frame.cursors, m_screen->appearance);
  });
  connect(&plot, &QCustomPlot::mousePress, this, &TracePlot::onPress);
  connect(&plot, &QCustomPlot::mouseMove, this, &TracePlot::onMove);
  connect(&plot, &QCustomPlot::mouseRelease, this, &TracePlot::onRelease);
  connect(&plot, &QCustomPlot::mouseWheel, this, &TracePlot::onWheel);
  plot.setContextMenuPolicy(Qt::CustomContextMenu);
  connect(&plot, &QWidget::customContextMenuRequested, this, [this](const QPoint& position) {
    const PlotGeometry shown = geometry();
    const double x = std::clamp<double>(position.x(), shown.area.left(), shown.area.right());
    emit menuRequested(shown.momentAt(x), m_screen->plot->mapToGlobal(position));
  });
  applyTheme();
}

TracePlot::~TracePlot() = default;

PlotGeometry TracePlot::geometry() const {
  QRect area = m_screen->plot->axisRect()->rect();
  if (area.width() < 1 || area.height() < 1) area = QRect(0, 0, 1, 1);
  TimeSpan screen = m_frame.screen;
  if (screen.to <= screen.from) screen.to = screen.from + std::chrono::seconds(1);
  return {QRectF(area), screen};
}

std::size_t TracePlot::columns() const {
  return static_cast<std::size_t>(std::max(1.0, geometry().area.width() * devicePixelRatioF()));
}

void TracePlot::setFrame(TraceFrame frame) {
  m_frame = std::move(frame);
  m_frame.lineWidth = traceWidth(font());
  applyAxes();
  m_screen->plot->replot(QCustomPlot::rpQueuedReplot);
}

void TracePlot::replotNow() {
  m_screen->plot->replot(QCustomPlot::rpImmediateRefresh);
}

void TracePlot::applyAxes() {
  QCustomPlot& plot = *m_screen->plot;
  m_screen->labelWidth = labelWidthOf(m_frame, fontMetrics());
  const int below = timeLabelPadding(fontMetrics());
  plot.xAxis->setTickLabelPadding(below);
  plot.axisRect()->setMargins(QMargins(plotLeftMargin(fontMetrics()), markStripHeight(fontMetrics()),
                                       static_cast<int>(m_screen->labelWidth), 2 * fontMetrics().height() + 9 + below));
  const PlotGeometry shown = geometry();
  applyTimeAxis(shown);
  plot.xAxis->setLabel(m_frame.referenceText);
  plot.yAxis->setRange(0, kValueDivisions * static_cast<double>(std::max<std::size_t>(m_frame.bands.size(), 1)));
  const bool named = m_frame.selected < m_frame.traces.size();
  plot.yAxis->setTickLabels(named);
  plot.yAxis->setTicks(named);
  if (!named) return;
  const FrameTrace& trace = m_frame.traces[m_frame.selected];
  const QColor color = traceColor(trace.style, m_screen->appearance);
  plot.yAxis->setTickLabelColor(color);
  plot.yAxis->setLabelColor(color);
  const VerticalScale scale = trace.scale;
  const auto bands = static_cast<double>(std::max<std::size_t>(m_frame.bands.size(), 1));
  // A low screen, or band, has no room for a label at every division.
  const double height = geometry().area.height() / bands;
  double perLabel = 1.0;
  while (perLabel < kValueDivisions && height * perLabel < kValueDivisions * fontMetrics().height()) perLabel *= 2.0;
  // Bands that share the selected trace's scale repeat its labels, from zero.
  plot.yAxis->setTicker(divisionTicker(perLabel, [scale, bands](double division) {
    const bool isInBand = bands > 1.0 && division < bands * kValueDivisions - 0.5;
    const double within = isInBand ? std::fmod(division, kValueDivisions) : std::min(division, kValueDivisions * 1.0);
    return valueLabel(scale.unit(), scale.fromDivisions(within));
  }));
}

void TracePlot::applyTimeAxis(const PlotGeometry& shown) {
  QCPAxis& axis = *m_screen->plot->xAxis;
  const Milliseconds perDivision = m_frame.perDivision;
  std::optional<WallTime> midnight;
  if (m_frame.wallClock) midnight = localMidnight(m_frame.wallClock->wallAt(shown.screen.from));
  // Lines at round times of the day, which move with the picture.
  const Moment zero =
      midnight ? m_frame.wallClock->monotonic + (*midnight - m_frame.wallClock->wall) : m_frame.reference;
  axis.setRange(toSeconds(shown.screen.from - zero), toSeconds(shown.screen.to - zero));
  if ((m_screen->ticksFor == perDivision && m_screen->midnight == midnight) || perDivision.count() <= 0) return;
  m_screen->ticksFor = perDivision;
  m_screen->midnight = midnight;
  axis.setTicker(midnight ? wallClockTicker(*midnight, perDivision)
                          : divisionTicker(toSeconds(perDivision),
                                           [perDivision](double seconds) { return timeLabel(seconds, perDivision); }));
}

void TracePlot::applyTheme() {
  QCustomPlot& plot = *m_screen->plot;
  const Appearance appearance = appearanceOf(palette());
  m_screen->appearance = appearance;
  applyPlotTheme(plot, palette(), font());
  m_frame.lineWidth = traceWidth(font());
  for (QCPAxis* axis : {plot.xAxis2, plot.yAxis2}) {
    axis->setTicks(false);
    axis->setTickLabels(false);
  }
  applyAxes();
  plot.replot(QCustomPlot::rpQueuedReplot);
}

void TracePlot::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) applyTheme();
  QWidget::changeEvent(event);
}

void TracePlot::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  emit resized();
}

std::optional<Cursor> TracePlot::cursorAt(const QPointF& position) const {
  for (const Cursor cursor : {Cursor::a, Cursor::b}) {
    const auto at = m_frame.cursors.at(cursor);
    if (at && std::abs(geometry().xOf(*at) - position.x()) <= kGrabPixels) return cursor;
  }
  return std::nullopt;
}

std::optional<std::size_t> TracePlot::traceAt(const QPointF& position) const {
  const PlotGeometry shown = geometry();
  std::optional<std::size_t> best;
  double bestDistance = 2.0 * kGrabPixels;
  for (std::size_t index = 0; index < m_frame.traces.size(); ++index) {
    const FrameTrace& trace = m_frame.traces[index];
    const PlotGeometry band = shown.band(trace.band, m_frame.bands.size());
    for (const TraceSamples::Point& point : trace.samples.points) {
      if (std::abs(shown.xOf(point.time) - position.x()) > kGrabPixels) continue;
      const double distance = std::abs(band.yOf(trace.scale.toDivisions(point.last)) - position.y());
      if (distance < bestDistance) {
        bestDistance = distance;
        best = index;
      }
    }
  }
  return best;
}

void TracePlot::onPress(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !geometry().area.contains(event->position())) return;
  m_drag = std::make_unique<Drag>(Drag{cursorAt(event->position()), event->position().x()});
  if (m_drag->cursor) return;
  if (const auto trace = traceAt(event->position())) emit traceClicked(*trace);
}

void TracePlot::onMove(QMouseEvent* event) {
  const PlotGeometry shown = geometry();
  const double x = std::clamp(event->position().x(), shown.area.left(), shown.area.right());
  if (m_drag && m_drag->cursor) {
    emit cursorDragged(*m_drag->cursor, shown.momentAt(x));
  } else if (m_drag) {
    if (std::abs(x - m_drag->lastX) < 1.0) return;
    const Nanoseconds by = shown.spanOf(m_drag->lastX - x);
    m_drag->lastX = x;
    emit panned(by);
  } else {
    m_screen->plot->setCursor(cursorAt(event->position()) ? Qt::SplitHCursor : Qt::ArrowCursor);
    const QString marks =
        describeMarks(m_frame.marks, m_frame.changes, m_frame.losses, shown.momentAt(x), shown.spanOf(kMarkRadius));
    const bool isOnScreen = x == event->position().x();
    // What was read of the screen does not belong to its margins.
    if (!isOnScreen) QToolTip::hideText();
    if (isOnScreen) emit pointedAt(shown.momentAt(x), event->globalPosition().toPoint(), marks);
  }
}

void TracePlot::onRelease() {
  m_drag.reset();
}

void TracePlot::onWheel(QWheelEvent* event) {
  // Some systems turn the wheel sideways while Shift is held.
  const int delta = event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x();
  if (delta == 0) return;
  if (event->modifiers().testFlag(Qt::ShiftModifier) || event->position().x() < geometry().area.left()) {
    emit scaleTurned(delta > 0 ? 1 : -1);
    return;
  }
  emit zoomed(delta > 0 ? 1 : -1, geometry().momentAt(event->position().x()));
}

bool TracePlot::savePicture(const PictureFile& file) {
  return tcpscope::savePicture(*m_screen->plot, file);
}

}  // namespace tcpscope
