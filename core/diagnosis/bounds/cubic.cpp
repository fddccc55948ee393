#include "core/diagnosis/bounds/cubic.h"

#include "core/diagnosis/bounds/loss_basis.h"
#include "core/diagnosis/limits/loss_response.h"

namespace tcpscope {

Bound cubicBound(const ConnectionEvidence& evidence, const Verdict& verdict) {
  return boundOf(BoundModel::cubic, lossBasis(evidence, verdict, Timeouts::unknownToModel), [](const LossBasis& basis) {
    return BitsPerSecond::fromBytesPerSecond(cubicWindow(basis.rttSeconds, *basis.ratio) * basis.mssBytes /
                                             basis.rttSeconds);
  });
}

}  // namespace tcpscope
