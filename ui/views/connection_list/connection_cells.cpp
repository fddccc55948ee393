#include "ui/views/connection_list/connection_cells.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

namespace tcpscope {

namespace {

struct BarPart {
  int percent = 0;
  QColor color;
};

/// From left to right, all of them together the whole width.
void paintBar(QPainter& painter, const QRect& box, std::span<const BarPart> parts) {
  const auto add = [](int sum, const BarPart& part) { return sum + part.percent; };
  const int whole = std::accumulate(parts.begin(), parts.end(), 0, add);
  int passed = 0;
  int left = box.left();
  for (const BarPart& part : parts) {
    passed += part.percent;
    const int right = box.left() + box.width() * passed / whole;
    if (right > left) {
      // A pixel of background between neighbours keeps them apart without colour.
      painter.fillRect(left, box.top(), std::max(1, right - left - (right - left > 2 ? 1 : 0)), box.height(),
                       part.color);
    }
    left = right;
  }
}

QRect barIn(const QRect& area) {
  return area.adjusted(4, area.height() / 4, -4, -area.height() / 4);
}

}  // namespace

void paintLimitsBar(QPainter& painter, const QRect& area, const LimitBar& bar, Appearance appearance) {
  const QRect box = barIn(area);
  if (std::accumulate(bar.percent.begin(), bar.percent.end(), 0) == 0) {
    painter.setPen(gridColor(appearance));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box.adjusted(0, 0, -1, -1));
    return;
  }
  std::array<BarPart, kLimitCount> parts;
  for (const Limit limit : kLimits) {
    const auto index = static_cast<std::size_t>(limit);
    parts[index] = {bar.percent[index], limitColor(limit, appearance)};
  }
  paintBar(painter, box, parts);
}

void paintExchangesBar(QPainter& painter, const QRect& area, const ExchangeBar& bar, Appearance appearance) {
  if (bar.empty()) return;
  const std::array<BarPart, 3> parts = {{{bar.local, traceColor(0, appearance)},
                                         {bar.path, quietTextColor(appearance)},
                                         {bar.remote, traceColor(1, appearance)}}};
  paintBar(painter, barIn(area), parts);
}

void paintTrend(QPainter& painter, const QRect& area, const ConnectionRow& row, const QColor& ink) {
  const QRect box = area.adjusted(4, 3, -4, -3);
  const int points = static_cast<int>(kSparklinePoints);
  for (int point = 0; point < points; ++point) {
    const int level = row.sparkline[static_cast<std::size_t>(point)];
    const int left = box.left() + box.width() * point / points;
    const int right = box.left() + box.width() * (point + 1) / points;
    const int height = level == 0 ? 1 : std::max(2, box.height() * level / 255);
    painter.fillRect(left, box.bottom() + 1 - height, std::max(1, right - left - 1), height, ink);
  }
}

QRect paintVerdictDot(QPainter& painter, const QRect& area, Limit limit, Appearance appearance) {
  constexpr int kDiameter = 9;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(limitColor(limit, appearance));
  painter.drawEllipse(area.left() + 5, area.center().y() - kDiameter / 2, kDiameter, kDiameter);
  painter.restore();
  return area.adjusted(kDiameter + 9, 0, 0, 0);
}

}  // namespace tcpscope
