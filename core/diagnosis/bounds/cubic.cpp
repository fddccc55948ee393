#include "core/diagnosis/bounds/cubic.h"

#include <algorithm>
#include <cmath>

#include "core/diagnosis/bounds/loss_basis.h"

namespace tcpscope {

double cubicWindow(double rttSeconds, double lossEventsPerPacket) {
  constexpr double kBeta = 0.7;
  constexpr double kScale = 0.4;
  constexpr double kReno = 1.2;
  const double factor = std::pow(kScale * (3.0 + kBeta) / (4.0 * (1.0 - kBeta)), 0.25);
  const double cubic = factor * std::pow(rttSeconds / lossEventsPerPacket, 0.75);
  return std::max(cubic, kReno / std::sqrt(lossEventsPerPacket));
}

Bound cubicBound(const ConnectionEvidence& evidence, const Verdict& verdict) {
  return boundOf(BoundModel::cubic, lossBasis(evidence, verdict, Timeouts::unknownToModel), [](const LossBasis& basis) {
    return BitsPerSecond::fromBytesPerSecond(cubicWindow(basis.rttSeconds, *basis.ratio) * basis.mssBytes /
                                             basis.rttSeconds);
  });
}

}  // namespace tcpscope
