#include "core/diagnosis/bounds/mathis.h"

#include <cmath>

#include "core/diagnosis/bounds/window_bound.h"
#include "core/diagnosis/limits/loss_response.h"

namespace tcpscope {

BitsPerSecond mathisRate(double mssBytes, double rttSeconds, double lossEventsPerPacket, double constant) {
  return BitsPerSecond::fromBytesPerSecond(mssBytes / rttSeconds * constant / std::sqrt(lossEventsPerPacket));
}

Bound mathisBound(const ConnectionEvidence& evidence, const Verdict& verdict) {
  const std::string_view control = evidence.congestionControlName();
  if (control.empty()) return unknownBound(BoundModel::mathis, WhyNoBound::notReported);
  if (!slowsDownForLoss(control)) return unknownBound(BoundModel::mathis, WhyNoBound::notLossBased);
  return boundOf(BoundModel::mathis, lossBasis(evidence, verdict, Timeouts::unknownToModel),
                 [](const LossBasis& basis) { return mathisRate(basis.mssBytes, basis.rttSeconds, *basis.ratio); });
}

Bound mathisBoundOfCapture(const ConnectionEvidence& evidence) {
  return boundOfCapture(BoundModel::mathis, evidence, [](const LossBasis& basis) {
    return mathisRate(basis.mssBytes, basis.rttSeconds, *basis.ratio);
  });
}

}  // namespace tcpscope
