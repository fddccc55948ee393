#include "core/diagnosis/bounds/pftk.h"

#include <cmath>

#include "core/diagnosis/bounds/loss_basis.h"

namespace tcpscope {

BitsPerSecond pftkRate(double mssBytes, double rttSeconds, double timeoutSeconds, double lossEventsPerPacket) {
  const double p = lossEventsPerPacket;
  const double inAvoidance = rttSeconds * std::sqrt(2.0 * p / 3.0);
  const double inTimeouts = timeoutSeconds * 3.0 * std::sqrt(3.0 * p / 8.0) * p * (1.0 + 32.0 * p * p);
  return BitsPerSecond::fromBytesPerSecond(mssBytes / (inAvoidance + inTimeouts));
}

Bound pftkBound(const ConnectionEvidence& evidence, const Verdict& verdict) {
  const auto timeout = evidence.retransmissionTimeout;
  if (!timeout || timeout->count() <= 0) {
    return unknownBound(BoundModel::pftk, WhyNoBound::notReported);
  }
  const LossBasis basis = lossBasis(evidence, verdict, Timeouts::inModel);
  Bound bound{BoundModel::pftk, std::nullopt, basis.whyNot == WhyNoBound::none,
              basis.whyNot,     basis.ratio,  basis.ratio95};
  if (basis.ratio) bound.rate = pftkRate(basis.mssBytes, basis.rttSeconds, toSeconds(*timeout), *basis.ratio);
  return bound;
}

}  // namespace tcpscope
