#include "core/diagnosis/bounds/cubic.h"

#include "core/diagnosis/bounds/loss_basis.h"
#include "core/diagnosis/bounds/window_rate.h"
#include "core/diagnosis/limits/loss_response.h"

namespace tcpscope {

namespace {

BitsPerSecond rateOfCubic(const LossBasis& basis) {
  return cubicRate(basis.mssBytes, basis.rttSeconds, *basis.ratio);
}

}  // namespace

BitsPerSecond cubicRate(double mssBytes, double rttSeconds, double lossEventsPerPacket) {
  return rateOfWindow(cubicWindow(rttSeconds, lossEventsPerPacket) * mssBytes, rttSeconds);
}

Bound cubicBound(const ConnectionEvidence& evidence, const Verdict& verdict) {
  return boundOf(BoundModel::cubic, lossBasis(evidence, verdict, Timeouts::unknownToModel), rateOfCubic);
}

Bound cubicBoundOfCapture(const ConnectionEvidence& evidence) {
  return boundOfCapture(BoundModel::cubic, evidence, rateOfCubic);
}

}  // namespace tcpscope
