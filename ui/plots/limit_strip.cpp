#include "ui/plots/limit_strip.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <array>
#include <cmath>

#include "core/present/text/diagnosis_text.h"
#include "ui/plots/axis_tickers.h"
#include "ui/plots/time_base.h"
#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"

namespace tcpscope {

namespace {

constexpr double kSmallestNamed = 0.01;

void paintTimeAxis(QPainter& painter, const PlotGeometry& geometry, Moment reference) {
  const TimeBase base = TimeBase::holding((geometry.screen.to - geometry.screen.from) * kTimeDivisions / 8);
  const double step = toSeconds(base.perDivision());
  const double from = toSeconds(geometry.screen.from - reference);
  const double to = toSeconds(geometry.screen.to - reference);
  // A label at each division where they fit, else at every second one.
  const double perLabel = painter.fontMetrics().horizontalAdvance(QStringLiteral("-00:00 min")) + 12.0;
  const double everyPixels = step / (to - from) * geometry.area.width();
  const double stride = everyPixels >= perLabel ? step : 2.0 * step;
  const double first = std::ceil(from / stride);
  const int labels = static_cast<int>(std::floor(to / stride + 1e-6) - first) + 1;
  for (int label = 0; label < labels; ++label) {
    const double tick = (first + label) * stride;
    const double x = geometry.xOf(reference + std::chrono::duration<double>(tick));
    painter.drawLine(QPointF(x, geometry.area.bottom()), QPointF(x, geometry.area.bottom() + 4.0));
    const QRectF place(x - perLabel / 2.0, geometry.area.bottom() + 5.0, perLabel, painter.fontMetrics().height());
    painter.drawText(place, Qt::AlignHCenter | Qt::AlignTop,
                     timeLabel(std::abs(tick) < step * 1e-6 ? 0.0 : tick, base.perDivision()));
  }
}

}  // namespace

QString describeShares(const LimitShares& shares) {
  std::array<Limit, kLimitCount> order = kLimits;
  std::stable_sort(order.begin(), order.end(), [&](Limit a, Limit b) { return shares.ratio(a) > shares.ratio(b); });
  QStringList parts;
  for (const Limit limit : order) {
    if (shares.ratio(limit) < kSmallestNamed) continue;
    parts << QStringLiteral("%1 %2 %").arg(toQString(shortName(limit))).arg(std::lround(shares.ratio(limit) * 100.0));
  }
  return parts.join(QStringLiteral(", "));
}

LimitStrip::LimitStrip(QWidget* parent) : QWidget(parent) {
  setAccessibleName(QStringLiteral("Limits over time"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

void LimitStrip::setTimeline(const LimitTimeline& timeline, Side side, TimeSpan screen, Moment reference) {
  m_side = side;
  m_screen = screen;
  m_reference = reference;
  m_intervals.clear();
  for (const LimitInterval& interval : timeline.intervals()) {
    if (interval.to > screen.from && interval.from < screen.to) m_intervals.push_back(interval);
  }
  setAccessibleDescription(describeShares(side == Side::sending ? timeline.sum(screen.from, screen.to).sending
                                                                : timeline.sum(screen.from, screen.to).receiving));
  update();
}

void LimitStrip::setRightMargin(int pixels) {
  m_rightMargin = pixels;
  update();
}

PlotGeometry LimitStrip::geometry() const {
  const QRect inside = rect().adjusted(plotLeftMargin(fontMetrics()), 6, -m_rightMargin, -(fontMetrics().height() + 8));
  TimeSpan screen = m_screen;
  if (screen.to <= screen.from) screen.to = screen.from + std::chrono::seconds(1);
  return {QRectF(inside.isValid() ? inside : QRect(0, 0, 1, 1)), screen};
}

const LimitShares& LimitStrip::shares(const LimitInterval& interval) const {
  return m_side == Side::sending ? interval.sending : interval.receiving;
}

void LimitStrip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const PlotGeometry shown = geometry();
  const Appearance appearance = appearanceOf(palette());
  painter.fillRect(shown.area, palette().brush(QPalette::Base));
  for (const LimitInterval& interval : m_intervals) {
    const double left = std::max(std::floor(shown.xOf(interval.from)), shown.area.left());
    // Up to the next pixel, so that neighbours leave no gap between them.
    const double right = std::min(std::max(std::floor(shown.xOf(interval.to)), left + 1.0), shown.area.right());
    double bottom = shown.area.bottom();
    for (const Limit limit : kLimits) {
      const double height = shares(interval).ratio(limit) * shown.area.height();
      if (height <= 0.0) continue;
      painter.fillRect(QRectF(left, bottom - height, right - left, height), limitColor(limit, appearance));
      bottom -= height;
    }
  }
  painter.setPen(axisColor(appearance));
  painter.drawRect(shown.area);
  const QRectF scale(0, shown.area.top() - 4.0, plotLeftMargin(fontMetrics()) - 6.0, shown.area.height() + 8.0);
  painter.drawText(scale, Qt::AlignRight | Qt::AlignTop, QStringLiteral("100 %"));
  painter.drawText(scale, Qt::AlignRight | Qt::AlignBottom, QStringLiteral("0 %"));
  paintTimeAxis(painter, shown, m_reference);
}

bool LimitStrip::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const Moment at = geometry().momentAt(help->pos().x());
  QString text;
  for (const LimitInterval& interval : m_intervals) {
    if (interval.from <= at && at < interval.to) text = describeShares(shares(interval));
  }
  QToolTip::showText(help->globalPos(), text, this);
  return true;
}

}  // namespace tcpscope
