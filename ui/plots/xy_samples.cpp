#include "ui/plots/xy_samples.h"

#include <cmath>

namespace tcpscope {

std::vector<XyPoint> xySamples(const TraceRecord& record, Metric x, Metric y, TimeSpan span) {
  const MinMaxPyramid* xs = record.values(x);
  const MinMaxPyramid* ys = record.values(y);
  std::vector<XyPoint> points;
  if (xs == nullptr || ys == nullptr) return points;
  const std::size_t from = record.firstAt(span.from);
  const std::size_t to = record.firstAt(span.to + Nanoseconds(1));
  const std::size_t step = (to - from) / kMostXyPoints + 1;
  points.reserve((to - from) / step + 1);
  for (std::size_t index = from; index < to; index += step) {
    const XyPoint point{xs->value(index), ys->value(index)};
    if (std::isfinite(point.x) && std::isfinite(point.y)) points.push_back(point);
  }
  return points;
}

}  // namespace tcpscope
