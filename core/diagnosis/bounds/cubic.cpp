#include "core/diagnosis/bounds/cubic.h"

#include "core/diagnosis/bounds/loss_basis.h"
#include "core/diagnosis/limits/loss_response.h"

namespace tcpscope {

namespace {

BitsPerSecond cubicRate(const LossBasis& basis) {
  return BitsPerSecond::fromBytesPerSecond(cubicWindow(basis.rttSeconds, *basis.ratio) * basis.mssBytes /
                                           basis.rttSeconds);
}

}  // namespace

Bound cubicBound(const ConnectionEvidence& evidence, const Verdict& verdict) {
  return boundOf(BoundModel::cubic, lossBasis(evidence, verdict, Timeouts::unknownToModel), cubicRate);
}

Bound cubicBoundOfCapture(const ConnectionEvidence& evidence) {
  return boundOfCapture(BoundModel::cubic, evidence, cubicRate);
}

}  // namespace tcpscope
