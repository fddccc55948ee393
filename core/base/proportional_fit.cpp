#include "core/base/proportional_fit.h"

#include <algorithm>
#include <cmath>

namespace tcpscope {

std::optional<ProportionalFit> fitProportional(std::span<const FitPoint> points) {
  // With r = x / y the sum of (k r - 1)² is least at k = sum r / sum r².
  double sum = 0.0;
  double squares = 0.0;
  const auto counts = [](const FitPoint& point) { return point.x > 0.0 && point.y > 0.0; };
  for (const FitPoint& point : points) {
    if (!counts(point)) continue;
    const double ratio = point.x / point.y;
    sum += ratio;
    squares += ratio * ratio;
  }
  if (squares <= 0.0) return std::nullopt;
  ProportionalFit fit;
  fit.factor = sum / squares;
  std::size_t count = 0;
  double errors = 0.0;
  for (const FitPoint& point : points) {
    if (!counts(point)) continue;
    const double error = fit.factor * point.x / point.y - 1.0;
    fit.worstRelativeError = std::max(fit.worstRelativeError, std::abs(error));
    errors += error * error;
    ++count;
  }
  if (count < 2) return fit;
  // The deviation of a mean of this many values whose interval is that of k: s / sqrt(sum r²) times sqrt(n).
  const double n = static_cast<double>(count);
  fit.factorInterval95 = meanInterval95(count, fit.factor, std::sqrt(errors / (n - 1.0) / squares * n));
  return fit;
}

}  // namespace tcpscope
