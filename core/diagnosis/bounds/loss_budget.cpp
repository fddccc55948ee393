#include "core/diagnosis/bounds/loss_budget.h"

#include <algorithm>
#include <cmath>

#include "core/diagnosis/bounds/mathis.h"

namespace tcpscope {

LossBudget lossBudget(BitsPerSecond rate, double rttSeconds, double mssBytes) {
  const double window = rate.value() * rttSeconds / kBitsPerByte / mssBytes;
  const double root = kMathisConstant / window;
  const double ratio = std::min(1.0, root * root);
  const double whole = std::ceil(window);
  return {rate, rttSeconds, ratio, 1.0 / ratio, 3.0 * whole * whole};
}

}  // namespace tcpscope
