#include "ui/plots/limit_pie.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "core/present/text/diagnosis_text.h"
#include "ui/plots/limit_strip.h"
#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"

namespace tcpscope {

namespace {

constexpr double kFullCircle = 360.0;
/// A slice narrower than this has no room for its percentage; the legend has it.
constexpr double kSmallestLabelled = 0.08;
constexpr double kLargestDisc = 190.0;
/// "<1 %  receive window", and the patch of colour before it.
constexpr int kLegendCharacters = 27;
constexpr double kPi = 3.14159265358979323846;

}  // namespace

QString shareLabel(double ratio) {
  if (ratio > 0.0 && ratio < 0.005) return QStringLiteral("<1 %");
  return QStringLiteral("%1 %").arg(std::lround(ratio * 100.0));
}

LimitPie::LimitPie(QWidget* parent) : QWidget(parent) {
  setAccessibleName(QStringLiteral("Shares of time by limit"));
}

void LimitPie::setShares(const LimitShares& shares) {
  if (shares == m_shares) return;
  m_shares = shares;
  setAccessibleDescription(describeShares(shares));
  update();
}

QSize LimitPie::sizeHint() const {
  return {static_cast<int>(kLargestDisc) + kLegendCharacters * fontMetrics().averageCharWidth(), 200};
}

QSize LimitPie::minimumSizeHint() const {
  return {120 + kLegendCharacters * fontMetrics().averageCharWidth(),
          static_cast<int>(kLimitCount) * (fontMetrics().height() + 2) + 8};
}

QRectF LimitPie::disc() const {
  const double side = std::min({height() - 8.0, width() * 0.5, kLargestDisc});
  return {4.0, (height() - side) / 2.0, side, side};
}

QRectF LimitPie::legendRow(std::size_t row) const {
  const double rowHeight = fontMetrics().height() + 2.0;
  const double top = (height() - rowHeight * static_cast<double>(kLimitCount)) / 2.0;
  const double left = disc().right() + 16.0;
  return {left, top + rowHeight * static_cast<double>(row), width() - left, rowHeight};
}

void LimitPie::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Appearance appearance = appearanceOf(palette());
  const QRectF circle = disc();
  if (m_shares.observed().count() == 0) {
    painter.setPen(QPen(gridColor(appearance), 1));
    painter.drawEllipse(circle);
    painter.setPen(quietTextColor(appearance));
    painter.drawText(circle, Qt::AlignCenter | Qt::TextWordWrap, QStringLiteral("nothing\nobserved yet"));
  }
  // From twelve o'clock, clockwise.
  double start = 90.0;
  for (const Limit limit : kLimits) {
    const double ratio = m_shares.ratio(limit);
    if (ratio <= 0.0) continue;
    const QColor color = limitColor(limit, appearance);
    painter.setPen(QPen(palette().color(QPalette::Window), ratio > 0.999 ? 0 : 1));
    painter.setBrush(color);
    if (ratio > 0.999) {
      painter.drawEllipse(circle);
    } else {
      painter.drawPie(circle, static_cast<int>(std::lround(start * 16.0)),
                      static_cast<int>(std::lround(-ratio * kFullCircle * 16.0)));
    }
    if (ratio >= kSmallestLabelled) {
      const double middle = (start - ratio * kFullCircle / 2.0) * kPi / 180.0;
      const double radius = ratio > 0.999 ? 0.0 : circle.width() * 0.32;
      const QPointF at = circle.center() + QPointF(std::cos(middle) * radius, -std::sin(middle) * radius);
      painter.setPen(textColorOn(color));
      painter.drawText(QRectF(at.x() - 30, at.y() - 12, 60, 24), Qt::AlignCenter, shareLabel(ratio));
    }
    start -= ratio * kFullCircle;
  }
  for (std::size_t row = 0; row < kLimitCount; ++row) {
    const Limit limit = kLimits.at(row);
    const QRectF place = legendRow(row);
    const double patch = place.height() - 6.0;
    painter.fillRect(QRectF(place.left(), place.top() + 3.0, patch, patch), limitColor(limit, appearance));
    const bool there = m_shares.ratio(limit) > 0.0;
    painter.setPen(there ? palette().color(QPalette::WindowText) : quietTextColor(appearance));
    const QRectF number(place.left() + patch + 6.0, place.top(), 46.0, place.height());
    painter.drawText(number, Qt::AlignRight | Qt::AlignVCenter, shareLabel(m_shares.ratio(limit)));
    painter.drawText(place.adjusted(patch + 60.0, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                     toQString(shortName(limit)));
  }
}

std::optional<Limit> LimitPie::limitAt(const QPointF& position) const {
  for (std::size_t row = 0; row < kLimitCount; ++row) {
    if (legendRow(row).contains(position)) return kLimits.at(row);
  }
  const QPointF offset = position - disc().center();
  if (std::hypot(offset.x(), offset.y()) > disc().width() / 2.0) return std::nullopt;
  double turned = std::atan2(offset.x(), -offset.y()) / (2.0 * kPi);
  if (turned < 0.0) turned += 1.0;
  for (const Limit limit : kLimits) {
    turned -= m_shares.ratio(limit);
    if (turned < 0.0) return limit;
  }
  return std::nullopt;
}

bool LimitPie::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto limit = limitAt(help->pos());
  QToolTip::showText(help->globalPos(), limit ? toQString(explanation(*limit)) : QString(), this);
  return true;
}

}  // namespace tcpscope
