#include "core/diagnosis/bounds/highspeed.h"

#include <cmath>

#include "core/diagnosis/bounds/loss_basis.h"

namespace tcpscope {

double highspeedWindow(double lossEventsPerPacket) {
  constexpr double kLowLoss = 1e-3;
  if (lossEventsPerPacket >= kLowLoss) return 1.2 / std::sqrt(lossEventsPerPacket);
  return 0.12 / std::pow(lossEventsPerPacket, 0.835);
}

Bound highspeedBound(const ConnectionEvidence& evidence, const Verdict& verdict) {
  return boundOf(
      BoundModel::highspeed, lossBasis(evidence, verdict, Timeouts::unknownToModel), [](const LossBasis& basis) {
        return BitsPerSecond::fromBytesPerSecond(highspeedWindow(*basis.ratio) * basis.mssBytes / basis.rttSeconds);
      });
}

}  // namespace tcpscope
