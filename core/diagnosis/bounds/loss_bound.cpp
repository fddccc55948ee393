#include "core/diagnosis/bounds/loss_bound.h"

#include "core/diagnosis/bounds/cubic.h"
#include "core/diagnosis/bounds/highspeed.h"
#include "core/diagnosis/bounds/mathis.h"
#include "core/diagnosis/limits/loss_response.h"

namespace tcpscope {

std::optional<BitsPerSecond> rateThatLossAllows(const ConnectionEvidence& evidence) {
  // The models are for a connection that the path limits: here they say what it would be if it did.
  Verdict pathLimits;
  pathLimits.limit = Limit::network;
  const std::string_view control = evidence.congestionControlName();
  if (control.empty() && evidence.slowsDownForLoss == true) return mathisBoundOfCapture(evidence).rate;
  const auto model = control == "cubic" ? cubicBound : growsAsHighSpeed(control) ? highspeedBound : mathisBound;
  const Bound bound = model(evidence, pathLimits);
  return bound.applies ? bound.rate : std::nullopt;
}

}  // namespace tcpscope
