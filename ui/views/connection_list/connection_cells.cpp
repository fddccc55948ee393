#include "ui/views/connection_list/connection_cells.h"

#include <algorithm>
#include <numeric>

namespace tcpscope {

void paintLimitsBar(QPainter& painter, const QRect& area, const LimitBar& bar, Appearance appearance) {
  const QRect box = area.adjusted(4, area.height() / 4, -4, -area.height() / 4);
  const int sum = std::accumulate(bar.percent.begin(), bar.percent.end(), 0);
  if (sum == 0) {
    painter.setPen(gridColor(appearance));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box.adjusted(0, 0, -1, -1));
    return;
  }
  int passed = 0;
  int left = box.left();
  for (const Limit limit : kLimits) {
    passed += bar.percent[static_cast<std::size_t>(limit)];
    const int right = box.left() + box.width() * passed / sum;
    if (right > left) {
      // A pixel of background between neighbours keeps them apart without colour.
      painter.fillRect(left, box.top(), std::max(1, right - left - (right - left > 2 ? 1 : 0)), box.height(),
                       limitColor(limit, appearance));
    }
    left = right;
  }
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
