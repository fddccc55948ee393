#include "core/diagnosis/bounds/loss_basis.h"

#include <algorithm>
#include <cmath>

#include "core/base/proportion.h"
#include "core/diagnosis/bounds/window_bound.h"
#include "core/diagnosis/evidence/path_figures.h"

namespace tcpscope {

namespace {

bool pathHeldItBack(const Verdict& verdict) {
  return verdict.limit == Limit::network || verdict.limit == Limit::recovery || verdict.limit == Limit::timeout;
}

LossBasis without(WhyNoBound why) {
  LossBasis basis;
  basis.whyNot = why;
  return basis;
}

}  // namespace

LossBasis lossBasis(const ConnectionEvidence& evidence, const Verdict& verdict, Timeouts timeouts) {
  const auto& mss = evidence.mss;
  const auto lost = neededRetransmissions(evidence);
  const auto& segments = evidence.dataSegments;
  if (!mss || mss->value() == 0 || !segments || !lost) return without(WhyNoBound::notReported);
  const auto seconds = boundRttSeconds(evidence);
  if (!seconds) return without(WhyNoBound::noRttYet);
  const bool knowsTimeouts = timeouts == Timeouts::inModel;
  if (hadTimeouts(evidence) && !knowsTimeouts) return without(WhyNoBound::timeouts);
  LossBasis basis;
  basis.mssBytes = static_cast<double>(mss->value());
  basis.rttSeconds = *seconds;
  if (*lost == 0) {
    basis.whyNot = WhyNoBound::noLossSeen;
    if (*segments > 0) basis.ratio = std::min(1.0, largestUnseenLossRatio(*segments));
    return basis;
  }
  if (!pathHeldItBack(verdict)) return without(WhyNoBound::notNetworkLimited);
  const auto& events = evidence.estimatedLossEvents;
  if (!events) return without(WhyNoBound::samplesTooFarApart);
  if (*events < kFewestLossEvents) return without(WhyNoBound::tooFewLossEvents);
  const double ratio = *events / static_cast<double>(std::max<std::uint64_t>(*segments, 1));
  if (ratio > kMostLossWithoutTimeouts && !knowsTimeouts) return without(WhyNoBound::tooMuchLoss);
  if (ratio > 1.0) return without(WhyNoBound::tooMuchLoss);
  basis.ratio = ratio;
  basis.ratio95 = proportionInterval95(static_cast<std::uint64_t>(std::llround(*events)), *segments);
  return basis;
}

Bound boundOf(BoundModel model, const LossBasis& basis, BitsPerSecond (*rate)(const LossBasis& basis)) {
  Bound bound{model, std::nullopt, basis.whyNot == WhyNoBound::none, basis.whyNot, basis.ratio, basis.ratio95};
  if (basis.ratio) bound.rate = rate(basis);
  return bound;
}

Bound boundOfCapture(BoundModel model, const ConnectionEvidence& evidence,
                     BitsPerSecond (*rate)(const LossBasis& basis)) {
  Bound bound = unknownBound(model, WhyNoBound::congestionControlUnknown);
  const auto& mss = evidence.mss;
  const auto seconds = boundRttSeconds(evidence);
  const auto& packets = evidence.dataSegments;
  const bool isCountable = evidence.timeouts == 0U && packets > 0U && evidence.lossEvents >= kFewestLossEvents;
  if (!mss || !seconds || !isCountable) return bound;
  LossBasis basis;
  basis.mssBytes = static_cast<double>(mss->value());
  basis.rttSeconds = *seconds;
  basis.ratio = static_cast<double>(*evidence.lossEvents) / static_cast<double>(*packets);
  if (*basis.ratio <= kMostLossWithoutTimeouts) bound.rate = rate(basis);
  return bound;
}

}  // namespace tcpscope
