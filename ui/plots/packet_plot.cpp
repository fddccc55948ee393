#include "ui/plots/packet_plot.h"

#include <qcustomplot.h>

#include <QEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/plots/axis_tickers.h"
#include "ui/plots/painted_layer.h"
#include "ui/plots/plot_theme.h"
#include "ui/plots/trace_painter.h"

namespace tcpscope {

namespace {

/// SYN, FIN and RST are named where there is room for so many.
constexpr std::size_t kNamesAtMost = 200;

constexpr double kSelectedRadius = 10.0;
constexpr double kMarkedRadius = 7.0;
/// What moves less between press and release is a click.
constexpr double kClickPixels = 4.0;

QString controlName(TcpFlags flags) {
  if (flags.rst()) return QStringLiteral("RST");
  if (flags.syn()) return QStringLiteral("SYN");
  return flags.fin() ? QStringLiteral("FIN") : QString();
}

bool isOnStream(PacketGraph graph) {
  return graph == PacketGraph::sequence || graph == PacketGraph::stevens;
}

}  // namespace

struct PacketPlot::Screen {
  QCustomPlot* plot;
  std::unique_ptr<PacketScene> scene;
  MetricUnit ticksFor = MetricUnit::none;
  bool streamTicks = false;
};

struct PacketPlot::Drag {
  std::optional<Cursor> cursor;
  QPointF start;
  QPointF last;
  bool isBox = false;
  bool isClick = true;
};

PacketPlot::PacketPlot(QWidget* parent)
    : QWidget(parent), m_screen(std::make_unique<Screen>(Screen{new QCustomPlot(this), nullptr})) {
  QCustomPlot& plot = *m_screen->plot;
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(&plot);
  plot.setAccessibleName(QStringLiteral("Packets over time"));
  plot.setFocusPolicy(Qt::NoFocus);
  plot.setMinimumSize(320, 160);
  plot.setNotAntialiasedElements(QCP::aeAll);
  plot.axisRect()->setAutoMargins(QCP::msNone);
  plot.xAxis->setTicker(packetTimeTicker());
  plot.addLayer(QStringLiteral("packets"), plot.layer(QStringLiteral("main")));
  paintOnLayer(plot, QStringLiteral("packets"), PaintArea::insideAxes,
               [this](QPainter& painter, const QRect&) { paint(painter); });
  paintOnLayer(plot, QStringLiteral("overlay"), PaintArea::insideAxes,
               [this](QPainter& painter, const QRect&) { paintOverlay(painter); });
  connect(&plot, &QCustomPlot::mousePress, this, &PacketPlot::onPress);
  connect(&plot, &QCustomPlot::mouseMove, this, &PacketPlot::onMove);
  connect(&plot, &QCustomPlot::mouseRelease, this, &PacketPlot::onRelease);
  connect(&plot, &QCustomPlot::mouseWheel, this, &PacketPlot::onWheel);
  applyTheme();
}

PacketPlot::~PacketPlot() = default;

PlotGeometry PacketPlot::geometry() const {
  QRect area = m_screen->plot->axisRect()->rect();
  if (area.width() < 1 || area.height() < 1) area = QRect(0, 0, 1, 1);
  TimeSpan screen = m_frame.screen;
  if (screen.to <= screen.from) screen.to = screen.from + std::chrono::seconds(1);
  return {QRectF(area), screen};
}

double PacketPlot::valueOf(double pixels) const {
  return pixels / geometry().area.height() * (m_values.to - m_values.from);
}

double PacketPlot::valueAt(double y) const {
  return m_values.from + valueOf(geometry().area.bottom() - y);
}

void PacketPlot::setFrame(PacketFrame frame) {
  m_frame = std::move(frame);
  prepare();
  applyAxes();
  m_screen->plot->replot(QCustomPlot::rpQueuedReplot);
}

void PacketPlot::setCursors(const CursorPair& cursors) {
  m_frame.cursors = cursors;
  m_screen->plot->layer(QStringLiteral("overlay"))->replot();
}

void PacketPlot::replotNow() {
  m_screen->plot->replot(QCustomPlot::rpImmediateRefresh);
}

/// Gathers what the screen shows; the size decides how fine.
void PacketPlot::prepare() {
  m_screen->scene.reset();
  m_averagedOver.reset();
  if (m_frame.series == nullptr) return;
  const PlotGeometry shown = geometry();
  const int columns = std::max(1, static_cast<int>(std::ceil(shown.area.width() * devicePixelRatioF())));
  m_screen->scene =
      std::make_unique<PacketScene>(*m_frame.series, m_frame.kernel, m_frame.graph, shown.screen, columns);
  const PacketLines& lines = m_screen->scene->lines();
  m_values = m_frame.values.value_or(lines.fittingValues());
  m_averagedOver = lines.averagedOver();
}

void PacketPlot::applyAxes() {
  QCustomPlot& plot = *m_screen->plot;
  plot.axisRect()->setMargins(
      QMargins(plotLeftMargin(fontMetrics()), fontMetrics().height() / 2 + 4, 16, 2 * fontMetrics().height() + 14));
  const PlotGeometry shown = geometry();
  plot.xAxis->setRange(toSeconds(shown.screen.from - m_frame.reference),
                       toSeconds(shown.screen.to - m_frame.reference));
  plot.xAxis->setLabel(m_frame.referenceText);
  plot.yAxis->setRange(m_values.from, m_values.to);
  // Without packets the figures would be those of what was shown before.
  for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) axis->setTickLabels(m_frame.series != nullptr);
  const MetricUnit unit = unitOf(m_frame.graph);
  const bool stream = isOnStream(m_frame.graph);
  if (unit == m_screen->ticksFor && stream == m_screen->streamTicks) return;
  m_screen->ticksFor = unit;
  m_screen->streamTicks = stream;
  plot.yAxis->setTicker(stream ? offsetTicker() : unitTicker(unit));
}

void PacketPlot::applyTheme() {
  applyPlotTheme(*m_screen->plot, palette(), font());
  m_screen->plot->replot(QCustomPlot::rpQueuedReplot);
}

void PacketPlot::paint(QPainter& painter) {
  const PlotGeometry shown = geometry();
  if (!m_frame.message.isEmpty()) {
    painter.setPen(quietTextColor(appearanceOf(palette())));
    painter.setFont(font());
    painter.drawText(shown.area.adjusted(20, 20, -20, -20), Qt::AlignCenter | Qt::TextWordWrap, m_frame.message);
  }
  if (!m_screen->scene) return;
  const qreal ratio = devicePixelRatioF();
  // Between a resize and the next gathering the picture is stretched.
  const QSize pixels(m_screen->scene->columns(), std::max(1, static_cast<int>(std::ceil(shown.area.height() * ratio))));
  PixelCanvas canvas(pixels, std::max(1, static_cast<int>(std::lround(ratio))));
  m_screen->scene->paint(canvas, m_values, appearanceOf(palette()));
  const bool isStretched = std::abs(pixels.width() / ratio - shown.area.width()) >= 1.0;
  const qreal width = isStretched ? shown.area.width() : pixels.width() / ratio;
  painter.drawImage(QRectF(shown.area.topLeft(), QSizeF(width, pixels.height() / ratio)), canvas.image());
  if (isOnStream(m_frame.graph)) paintNames(painter);
  paintLineNames(painter);
}

/// Where each line of packets and kernel ends on the screen, moved apart where lines end close together.
void PacketPlot::paintLineNames(QPainter& painter) const {
  const std::vector<SceneLine>& lines = m_screen->scene->lines().lines();
  const bool hasKernel =
      std::any_of(lines.begin(), lines.end(), [](const SceneLine& line) { return isKernelItem(line.item); });
  if (!hasKernel) return;
  const PlotGeometry shown = geometry();
  struct Name {
    double y;
    GraphItem item;
    QPointF place{};
  };
  std::vector<Name> names;
  for (const SceneLine& line : lines) {
    const double value = line.columns.newest();
    if (std::isnan(value) || value > m_values.to) continue;
    names.push_back(
        {shown.area.bottom() - (value - m_values.from) / (m_values.to - m_values.from) * shown.area.height(),
         line.item});
  }
  std::sort(names.begin(), names.end(), [](const Name& a, const Name& b) { return a.y < b.y; });
  painter.setFont(font());
  const Appearance appearance = appearanceOf(palette());
  const QFontMetrics metrics = painter.fontMetrics();
  double lowest = shown.area.top() + metrics.ascent() + 2.0;
  for (Name& name : names) {
    const QString title = itemTitle(name.item);
    name.place = {shown.area.right() - metrics.horizontalAdvance(title) - 6.0, std::max(name.y - 4.0, lowest)};
    lowest = name.place.y() + metrics.height();
  }
  double highest = shown.area.bottom() - metrics.descent();
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    name->place.setY(std::min(name->place.y(), highest));
    highest = name->place.y() - metrics.height();
    // On a ground of its own, as lines run behind it.
    painter.fillRect(metrics.boundingRect(itemTitle(name->item)).translated(name->place.toPoint()),
                     palette().color(QPalette::Base));
  }
  for (const Name& name : names) {
    painter.setPen(QColor(itemColor(name.item, appearance)));
    painter.drawText(name.place, itemTitle(name.item));
  }
}

void PacketPlot::paintNames(QPainter& painter) const {
  const PlotGeometry shown = geometry();
  const DirectionSeries& series = *m_frame.series;
  painter.setFont(font());
  painter.setPen(axisColor(appearanceOf(palette())));
  const double perValue = shown.area.height() / (m_values.to - m_values.from);
  std::size_t names = 0;
  series.marks().forEach(0, series.marks().size(), [&](const SegmentMark& mark, std::size_t) {
    const SegmentPoint& point = series.segments()[mark.index];
    if ((point.flags.bits & 0x07) == 0) return;
    const QString name = controlName(point.flags);
    if (point.time < shown.screen.from || point.time > shown.screen.to || ++names > kNamesAtMost) return;
    const auto value = static_cast<double>(static_cast<std::int64_t>(point.begin - series.origin()));
    const double width = painter.fontMetrics().horizontalAdvance(name);
    const double x = std::min(shown.xOf(point.time) + 4.0, shown.area.right() - width - 2.0);
    const double y = shown.area.bottom() - (value - m_values.from) * perValue - 4.0;
    painter.drawText(QPointF(x, std::max(y, shown.area.top() + painter.fontMetrics().ascent())), name);
  });
}

void PacketPlot::paintOverlay(QPainter& painter) const {
  const PlotGeometry shown = geometry();
  const Appearance appearance = appearanceOf(palette());
  painter.setFont(font());
  paintCursors(painter, shown, m_frame.cursors, appearance);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(cursorColor(appearance), 1));
  const double perValue = shown.area.height() / (m_values.to - m_values.from);
  for (const PacketMark& mark : m_frame.marked) {
    const double y =
        mark.place ? shown.area.bottom() - (mark.place->from - m_values.from) * perValue : shown.area.bottom() - 8.0;
    painter.drawEllipse(QPointF(shown.xOf(mark.time), y), kMarkedRadius, kMarkedRadius);
  }
  if (m_frame.selected) paintSelected(painter, shown, perValue);
  if (m_drag && m_drag->isBox) painter.drawRect(QRectF(m_drag->start, m_drag->last).normalized());
}

/// A line over the whole height, so that the packet is found on every graph, its bar, and a ring around it.
void PacketPlot::paintSelected(QPainter& painter, const PlotGeometry& shown, double perValue) const {
  const PacketMark& mark = *m_frame.selected;
  const QColor color = cursorColor(appearanceOf(palette()));
  const double x = shown.xOf(mark.time);
  painter.setPen(QPen(color, 1, Qt::DotLine));
  painter.drawLine(QPointF(x, shown.area.top()), QPointF(x, shown.area.bottom()));
  if (!mark.place) return;
  const auto y = [&](double value) { return shown.area.bottom() - (value - m_values.from) * perValue; };
  painter.setPen(QPen(color, 3));
  painter.drawLine(QPointF(x, y(mark.place->from)), QPointF(x, y(mark.place->to)));
  painter.setPen(QPen(color, 2));
  painter.drawEllipse(QPointF(x, (y(mark.place->from) + y(mark.place->to)) / 2.0), kSelectedRadius, kSelectedRadius);
}

void PacketPlot::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) applyTheme();
  QWidget::changeEvent(event);
}

void PacketPlot::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  // The plot inside has its new size only when control is back in the event loop.
  QMetaObject::invokeMethod(
      this,
      [this] {
        prepare();
        applyAxes();
        m_screen->plot->replot(QCustomPlot::rpQueuedReplot);
      },
      Qt::QueuedConnection);
}

std::optional<Cursor> PacketPlot::cursorAt(const QPointF& position) const {
  for (const Cursor cursor : {Cursor::a, Cursor::b}) {
    const auto at = m_frame.cursors.at(cursor);
    if (at && std::abs(geometry().xOf(*at) - position.x()) <= kGrabPixels) return cursor;
  }
  return std::nullopt;
}

void PacketPlot::onPress(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !geometry().area.contains(event->position())) return;
  const bool isBox = event->modifiers().testFlag(Qt::ShiftModifier);
  m_drag = std::make_unique<Drag>(
      Drag{isBox ? std::nullopt : cursorAt(event->position()), event->position(), event->position(), isBox, true});
}

void PacketPlot::onMove(QMouseEvent* event) {
  const PlotGeometry shown = geometry();
  const QPointF position(std::clamp(event->position().x(), shown.area.left(), shown.area.right()),
                         std::clamp(event->position().y(), shown.area.top(), shown.area.bottom()));
  if (!m_drag) {
    m_screen->plot->setCursor(cursorAt(position) ? Qt::SplitHCursor : Qt::ArrowCursor);
    if (shown.area.contains(event->position())) emit pointedAt(shown.momentAt(position.x()), valueAt(position.y()));
    return;
  }
  const QPointF moved = position - m_drag->start;
  if (std::abs(moved.x()) >= kClickPixels || std::abs(moved.y()) >= kClickPixels) m_drag->isClick = false;
  if (m_drag->isClick) return;
  if (m_drag->cursor) {
    emit cursorDragged(*m_drag->cursor, shown.momentAt(position.x()));
  } else if (m_drag->isBox) {
    m_drag->last = position;
    m_screen->plot->layer(QStringLiteral("overlay"))->replot();
  } else {
    const QPointF by = m_drag->last - position;
    if (std::abs(by.x()) < 1.0 && std::abs(by.y()) < 1.0) return;
    m_drag->last = position;
    emit panned(shown.spanOf(by.x()), -valueOf(by.y()));
  }
}

void PacketPlot::onRelease() {
  const std::unique_ptr<Drag> drag = std::move(m_drag);
  if (drag && drag->isClick) return emit clicked(geometry().momentAt(drag->start.x()), valueAt(drag->start.y()));
  if (!drag || !drag->isBox) return;
  const QRectF box = QRectF(drag->start, drag->last).normalized();
  if (box.width() < kGrabPixels || box.height() < kGrabPixels) return m_screen->plot->replot();
  const PlotGeometry shown = geometry();
  emit boxed({shown.momentAt(box.left()), shown.momentAt(box.right())}, {valueAt(box.bottom()), valueAt(box.top())});
}

void PacketPlot::onWheel(QWheelEvent* event) {
  // Some systems turn the wheel sideways while Shift is held.
  const int delta = event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x();
  if (delta == 0) return;
  const int steps = delta > 0 ? 1 : -1;
  if (event->modifiers().testFlag(Qt::ShiftModifier) || event->position().x() < geometry().area.left()) {
    emit valuesZoomed(steps, valueAt(event->position().y()));
  } else {
    emit zoomed(steps, geometry().momentAt(event->position().x()));
  }
}

bool PacketPlot::savePicture(const PictureFile& file) {
  return tcpscope::savePicture(*m_screen->plot, file);
}

}  // namespace tcpscope
