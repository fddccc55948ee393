#include "ui/plots/trace_painter.h"

#include <QFontMetrics>
#include <QPaintEngine>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <optional>

#include "ui/plots/envelope_image.h"

namespace tcpscope {

namespace {

constexpr int kLaneHeight = 2 * kMarkRadius + 2;
/// Below this many samples on the screen each is marked with a dot, so that a line of two points is no mystery.
constexpr std::size_t kDottedBelow = 60;

std::size_t bandCount(const TraceFrame& frame) {
  return std::max<std::size_t>(frame.bands.size(), 1);
}

PlotGeometry bandOf(const PlotGeometry& geometry, const TraceFrame& frame, const FrameTrace& trace) {
  return geometry.band(std::min(trace.band, bandCount(frame) - 1), bandCount(frame));
}

QPen linePen(const FrameTrace& trace, const QColor& color, int width) {
  QPen pen(color);
  // Usually one pixel and cosmetic: what the raster engine draws fast.
  pen.setWidth(width);
  pen.setCosmetic(true);
  pen.setStyle(traceLine(trace.style));
  return pen;
}

/// Has the line style a dash in this column? By columns, and not along the line: styles stay apart on steep lines, too.
bool isDashed(Qt::PenStyle style, int column) {
  const auto isIn = [column](int period, int dash) { return column % period < dash; };
  switch (style) {
    case Qt::DashLine:
      return isIn(8, 6);
    case Qt::DotLine:
      return isIn(3, 1);
    case Qt::DashDotLine:
      return isIn(11, 6) || column % 11 == 8;
    case Qt::DashDotDotLine:
      return isIn(14, 6) || column % 14 == 8 || column % 14 == 11;
    default:
      return true;
  }
}

/// Where the points of a trace lie in the picture of the graticule, in pixels from its corner: a multiplication each.
class PointMap {
public:
  PointMap(const PlotGeometry& geometry, const VerticalScale& scale)
      : m_from(geometry.screen.from),
        m_columnsPerNanosecond(geometry.area.width() /
                               static_cast<double>((geometry.screen.to - geometry.screen.from).count())),
        m_height(geometry.area.height()),
        m_zero(geometry.yOf(scale.zeroDivision()) - geometry.area.top()),
        m_rowsPerUnit(m_height / kValueDivisions / scale.unitsPerDivision()) {}

  [[nodiscard]] int columnOf(Moment moment) const {
    return static_cast<int>(std::floor(static_cast<double>((moment - m_from).count()) * m_columnsPerNanosecond));
  }
  /// At most one row outside of the picture.
  [[nodiscard]] double rowOf(double value) const {
    return std::clamp(m_zero - value * m_rowsPerUnit, -1.0, m_height + 1.0);
  }

private:
  Moment m_from;
  double m_columnsPerNanosecond;
  double m_height;
  double m_zero;
  double m_rowsPerUnit;
};

struct LineStyle {
  Qt::PenStyle dashes;
  int width;
};

/// A wider line covers its neighbours, too.
void drawDot(Envelope& envelope, int column, int top, int bottom, int width) {
  const int before = (width - 1) / 2;
  for (int x = column - before; x <= column + width / 2; ++x) envelope.drawLine(x, top - before, bottom + width / 2);
}

/// From the row of the column before to `here`, upright in its column, sloping over columns without a sample.
void drawLine(Envelope& envelope, QPoint from, QPoint here, LineStyle style) {
  const int span = here.x() - from.x();
  int y = from.y();
  for (int x = span > 0 ? from.x() + 1 : here.x(); x <= here.x(); ++x) {
    const int next = span <= 1 ? here.y() : from.y() + (here.y() - from.y()) * (x - from.x()) / span;
    if (isDashed(style.dashes, x / style.width))
      drawDot(envelope, x, std::min(y, next), std::max(y, next) + 1, style.width);
    y = next;
  }
}

/// With a width: and the line through the last values.
Envelope envelopeOf(const PlotGeometry& geometry, const FrameTrace& trace, const QColor& color,
                    std::optional<int> lineWidth) {
  Envelope envelope(static_cast<int>(geometry.area.width()), color);
  const PointMap map(geometry, trace.scale);
  const LineStyle style{traceLine(trace.style), lineWidth.value_or(1)};
  QPoint before;
  bool isContinued = false;
  for (const TraceSamples::Point& point : trace.samples.points) {
    const int x = map.columnOf(point.time);
    if (std::isfinite(point.smallest) && std::isfinite(point.largest)) {
      const double top = std::max(map.rowOf(point.largest), 0.0);
      const double bottom = map.rowOf(point.smallest);
      // Less than two pixels are the line itself.
      if (bottom - top >= 2.0) envelope.cover(x, static_cast<int>(top), static_cast<int>(bottom) + 1);
    }
    if (!lineWidth) continue;
    if (!std::isfinite(point.last)) {
      isContinued = false;
      continue;
    }
    const QPoint here(x, static_cast<int>(std::floor(map.rowOf(point.last))));
    drawLine(envelope, isContinued ? before : here, here, style);
    before = here;
    isContinued = true;
  }
  return envelope;
}

/// A file keeps its lines as lines.
bool isVectorPicture(const QPainter& painter) {
  return painter.paintEngine() != nullptr && painter.paintEngine()->type() != QPaintEngine::Raster;
}

/// Of one band; `geometry` is the band's.
void paintEnvelopes(QPainter& painter, const PlotGeometry& geometry, const TraceFrame& frame, std::size_t band,
                    Appearance appearance) {
  std::vector<Envelope> envelopes;
  const auto add = [&](const FrameTrace& trace, const QColor& color) {
    if (trace.samples.decimated && std::min(trace.band, bandCount(frame) - 1) == band)
      envelopes.push_back(
          envelopeOf(geometry, trace, color, isVectorPicture(painter) ? std::nullopt : std::optional(frame.lineWidth)));
  };
  for (const FrameTrace& kept : frame.references) add(kept, referenceColor(appearance));
  for (const FrameTrace& trace : frame.traces) add(trace, traceColor(trace.style, appearance));
  if (envelopes.empty()) return;
  painter.drawImage(geometry.area.topLeft(), envelopeImage(geometry.area.size().toSize(), envelopes));
}

void paintLine(QPainter& painter, const PlotGeometry& geometry, const FrameTrace& trace, const QColor& color,
               int width) {
  const QPen pen = linePen(trace, color, width);
  const bool dotted = !trace.samples.decimated && trace.samples.points.size() < kDottedBelow;
  QPolygonF line;
  line.reserve(static_cast<qsizetype>(trace.samples.points.size()));
  const auto flush = [&] {
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    if (line.size() > 1) painter.drawPolyline(line);
    if (dotted || line.size() == 1) {
      painter.setBrush(pen.color());
      painter.setPen(Qt::NoPen);
      for (const QPointF& point : line) painter.drawRect(QRectF(point.x() - 1.0, point.y() - 1.0, 3.0, 3.0));
    }
    line.clear();
  };
  for (const TraceSamples::Point& point : trace.samples.points) {
    const double division = trace.scale.toDivisions(point.last);
    if (std::isnan(division)) {
      flush();
    } else {
      line.append({geometry.xOf(point.time), geometry.yOf(division)});
    }
  }
  flush();
}

struct EndLabel {
  const FrameTrace* trace;
  double y;
};

/// Those of a low band that have room, the selected trace's among them.
void leaveOutWithoutRoom(std::vector<EndLabel>& labels, std::size_t room, const FrameTrace* selected) {
  if (labels.size() <= room) return;
  std::stable_partition(labels.begin(), labels.end(), [&](const EndLabel& label) { return label.trace == selected; });
  labels.resize(room);
}

/// From top to bottom, each at least `height` below the one before, and all inside the area.
void moveApart(std::vector<EndLabel>& labels, double height, double top, double bottom) {
  std::stable_sort(labels.begin(), labels.end(), [](const EndLabel& a, const EndLabel& b) { return a.y < b.y; });
  double next = top;
  for (EndLabel& label : labels) {
    label.y = std::max(label.y, next);
    next = label.y + height;
  }
  double lowest = bottom;
  for (auto label = labels.rbegin(); label != labels.rend(); ++label) {
    label->y = std::min(label->y, lowest);
    lowest = label->y - height;
  }
}

std::optional<double> lastDivision(const FrameTrace& trace, Moment until) {
  for (auto point = trace.samples.points.rbegin(); point != trace.samples.points.rend(); ++point) {
    const double division = trace.scale.toDivisions(point->last);
    if (point->time <= until && !std::isnan(division)) return division;
  }
  return std::nullopt;
}

void paintLegend(QPainter& painter, const PlotGeometry& geometry, const TraceFrame& frame, Appearance appearance) {
  const QFontMetrics metrics = painter.fontMetrics();
  double x = geometry.area.left();
  const double baseline = metrics.ascent() + 2.0;
  painter.setFont(painter.font());
  for (std::size_t number = 0; number < kHistoryEventKinds; ++number) {
    const auto kind = static_cast<HistoryEventKind>(number);
    std::uint64_t count = 0;
    for (const EventMark& mark : frame.marks) count += mark.kind == kind ? mark.count : 0;
    if (count == 0) continue;
    const QString label = QStringLiteral("%1 (%2)").arg(eventTitle(kind)).arg(count);
    const double width = metrics.horizontalAdvance(label);
    if (x + width + 16.0 > geometry.area.right() + 100.0) break;
    paintMark(painter, kind, {x + kMarkRadius, baseline - metrics.ascent() / 2.0 + 1.0}, appearance);
    painter.setPen(axisColor(appearance));
    painter.drawText(QPointF(x + 3.0 * kMarkRadius, baseline), label);
    x += width + 3.0 * kMarkRadius + 14.0;
  }
}

/// A line above each band but the first, and its name.
void paintBands(QPainter& painter, const PlotGeometry& geometry, const TraceFrame& frame, Appearance appearance) {
  for (std::size_t band = 0; band < frame.bands.size(); ++band) {
    const QRectF area = geometry.band(band, frame.bands.size()).area;
    QPen pen(axisColor(appearance), 1);
    pen.setCosmetic(true);
    painter.setPen(pen);
    if (band > 0) painter.drawLine(area.topLeft(), area.topRight());
    const QString name =
        painter.fontMetrics().elidedText(frame.bands[band], Qt::ElideRight, static_cast<int>(area.width()) - 12);
    painter.drawText(area.adjusted(6, 2, -6, 0), Qt::AlignTop | Qt::AlignLeft, name);
  }
}

/// Before and after a change are compared by eye: it divides the screen.
void paintDivide(QPainter& painter, const PlotGeometry& geometry, double x, Appearance appearance) {
  QPen pen(axisColor(appearance), 1, Qt::DotLine);
  pen.setCosmetic(true);
  painter.setPen(pen);
  painter.drawLine(QPointF(x, geometry.area.top()), QPointF(x, geometry.area.bottom()));
}

enum class Handle : std::uint8_t { atTop, atBottom };

/// A dashed line with its name in a box at one of its ends.
void paintHandledLine(QPainter& painter, const PlotGeometry& geometry, Moment at, const QString& name, Handle end,
                      Appearance appearance) {
  const double x = std::round(geometry.xOf(at));
  if (x < geometry.area.left() - 1.0 || x > geometry.area.right() + 1.0) return;
  const QColor color = cursorColor(appearance);
  QPen pen(color, 1, Qt::DashLine);
  pen.setCosmetic(true);
  painter.setPen(pen);
  painter.drawLine(QPointF(x, geometry.area.top()), QPointF(x, geometry.area.bottom()));
  const double side = std::max(16.0, painter.fontMetrics().height() + 1.0);
  const double top = end == Handle::atTop ? geometry.area.top() : geometry.area.bottom() - side;
  const QRectF handle(x - side / 2.0, top, side, side);
  painter.fillRect(handle, color);
  painter.setPen(textColorOn(color));
  painter.drawText(handle, Qt::AlignCenter, name);
}

}  // namespace

void paintTraces(QPainter& painter, const PlotGeometry& geometry, const TraceFrame& frame, Appearance appearance) {
  for (std::size_t band = 0; band < bandCount(frame); ++band)
    paintEnvelopes(painter, geometry.band(band, bandCount(frame)), frame, band, appearance);
  const auto paint = [&](const FrameTrace& trace, const QColor& color) {
    if (trace.samples.decimated && !isVectorPicture(painter)) return;
    const PlotGeometry shown = bandOf(geometry, frame, trace);
    painter.save();
    // A trace that is higher than its band must not reach into the next.
    if (bandCount(frame) > 1) painter.setClipRect(shown.area, Qt::IntersectClip);
    paintLine(painter, shown, trace, color, frame.lineWidth);
    painter.restore();
  };
  for (const FrameTrace& kept : frame.references) paint(kept, referenceColor(appearance));
  for (const FrameTrace& trace : frame.traces) paint(trace, traceColor(trace.style, appearance));
  paintBands(painter, geometry, frame, appearance);
  if (!frame.message.isEmpty()) {
    painter.setPen(quietTextColor(appearance));
    painter.drawText(geometry.area.adjusted(20, 20, -20, -20), Qt::AlignCenter | Qt::TextWordWrap, frame.message);
  }
}

void paintEndLabels(QPainter& painter, const PlotGeometry& geometry, const TraceFrame& frame, Appearance appearance,
                    double width) {
  const QFontMetrics metrics = painter.fontMetrics();
  const double height = metrics.height() + 2.0;
  const FrameTrace* selected = frame.selected < frame.traces.size() ? &frame.traces[frame.selected] : nullptr;
  std::vector<EndLabel> all;
  for (std::size_t band = 0; band < bandCount(frame); ++band) {
    const PlotGeometry shown = geometry.band(band, bandCount(frame));
    std::vector<EndLabel> labels;
    for (const FrameTrace& trace : frame.traces) {
      if (std::min(trace.band, bandCount(frame) - 1) != band) continue;
      if (const auto division = lastDivision(trace, frame.screen.to)) {
        const double y = std::clamp(shown.yOf(*division), shown.area.top(), shown.area.bottom());
        labels.push_back({&trace, y - height / 2.0});
      }
    }
    if (bandCount(frame) > 1)
      leaveOutWithoutRoom(labels, static_cast<std::size_t>(std::max(shown.area.height() / height, 1.0)), selected);
    moveApart(labels, height, shown.area.top(), shown.area.bottom() - height);
    all.insert(all.end(), labels.begin(), labels.end());
  }
  for (const EndLabel& label : all) {
    const QColor color = traceColor(label.trace->style, appearance);
    const QRectF box(geometry.area.right() + 4.0, label.y, width - 8.0, height - 1.0);
    painter.fillRect(box, color);
    painter.setPen(textColorOn(color));
    const QString text = metrics.elidedText(label.trace->label, Qt::ElideRight, static_cast<int>(box.width()) - 6);
    painter.drawText(box.adjusted(4, 0, -2, 0), Qt::AlignVCenter | Qt::AlignLeft, text);
  }
}

int markStripHeight(const QFontMetrics& metrics) {
  return metrics.height() + 4 + kMarkLanes * kLaneHeight;
}

void paintMarks(QPainter& painter, const PlotGeometry& geometry, const TraceFrame& frame, Appearance appearance) {
  paintLegend(painter, geometry, frame, appearance);
  for (const EventMark& mark : frame.marks) {
    const double x = std::round(geometry.xOf(mark.first));
    const double y = geometry.area.top() - (kMarkLanes - markLane(mark.kind) - 0.5) * kLaneHeight - 1.0;
    if (mark.kind == HistoryEventKind::hostSettingChanged) paintDivide(painter, geometry, x, appearance);
    paintMark(painter, mark.kind, {x, y}, appearance);
  }
}

void paintTrigger(QPainter& painter, const PlotGeometry& geometry, const TraceFrame& frame, Appearance appearance) {
  for (const FrameTrace& trace : frame.traces) {
    if (!trace.triggerLevel) continue;
    const PlotGeometry shown = bandOf(geometry, frame, trace);
    const double y = std::round(shown.yOf(trace.scale.toDivisions(*trace.triggerLevel)));
    if (!(y >= shown.area.top() && y <= shown.area.bottom())) continue;
    QPen pen(traceColor(trace.style, appearance), 1, Qt::DotLine);
    pen.setCosmetic(true);
    painter.setPen(pen);
    painter.drawLine(QPointF(geometry.area.left(), y), QPointF(geometry.area.right(), y));
  }
  if (frame.trigger) {
    paintHandledLine(painter, geometry, *frame.trigger, QStringLiteral("T"), Handle::atBottom, appearance);
  }
}

void paintCursors(QPainter& painter, const PlotGeometry& geometry, const CursorPair& cursors, Appearance appearance) {
  if (const auto a = cursors.at(Cursor::a)) {
    paintHandledLine(painter, geometry, *a, QStringLiteral("A"), Handle::atTop, appearance);
  }
  if (const auto b = cursors.at(Cursor::b)) {
    paintHandledLine(painter, geometry, *b, QStringLiteral("B"), Handle::atTop, appearance);
  }
}

}  // namespace tcpscope
