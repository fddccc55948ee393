#include "core/diagnosis/bounds/highspeed.h"

#include <cmath>

#include "core/diagnosis/bounds/loss_basis.h"
#include "core/diagnosis/bounds/window_rate.h"

namespace tcpscope {

double highspeedWindow(double lossEventsPerPacket) {
  constexpr double kLowLoss = 1e-3;
  if (lossEventsPerPacket >= kLowLoss) return 1.2 / std::sqrt(lossEventsPerPacket);
  return 0.12 / std::pow(lossEventsPerPacket, 0.835);
}

BitsPerSecond highspeedRate(double mssBytes, double rttSeconds, double lossEventsPerPacket) {
  return rateOfWindow(highspeedWindow(lossEventsPerPacket) * mssBytes, rttSeconds);
}

Bound highspeedBound(const ConnectionEvidence& evidence, const Verdict& verdict) {
  return boundOf(BoundModel::highspeed, lossBasis(evidence, verdict, Timeouts::unknownToModel),
                 [](const LossBasis& basis) { return highspeedRate(basis.mssBytes, basis.rttSeconds, *basis.ratio); });
}

}  // namespace tcpscope
