#include "core/diagnosis/bounds/loss_budget.h"

#include <algorithm>
#include <cmath>

#include "core/diagnosis/bounds/window_rate.h"

namespace tcpscope {

LossBudget lossBudget(BitsPerSecond rate, double rttSeconds, double mssBytes, double constant) {
  const double window = bandwidthDelayBytes(rate, rttSeconds) / mssBytes;
  const double root = constant / window;
  const double ratio = std::min(1.0, root * root);
  const double whole = std::ceil(window);
  return {rate, rttSeconds, ratio, 1.0 / ratio, 3.0 * whole * whole};
}

}  // namespace tcpscope
