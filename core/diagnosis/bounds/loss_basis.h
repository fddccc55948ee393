// What the models of loss stand on: segment size, round trip, and loss events per packet with how well that is known;
// or the reason why no model of loss says anything here.
//
// Loss events, not lost packets: what is lost within a round trip is one (Mathis and others 1997; RFC 5348 §5.2).
#pragma once

#include "core/diagnosis/bounds/bound.h"
#include "core/diagnosis/evidence/connection_evidence.h"

namespace tcpscope {

/// Loss events per packet above which timeouts rule.
inline constexpr double kMostLossWithoutTimeouts = 0.02;
/// Fewer events than this give no mean.
inline constexpr double kFewestLossEvents = 5.0;

struct LossBasis {
  double mssBytes = 0.0;
  double rttSeconds = 0.0;
  /// Loss events per packet; where whyNot is noLossSeen, the largest that is likely (rule of three, 95 %).
  std::optional<double> ratio;
  std::optional<Interval> ratio95;
  WhyNoBound whyNot = WhyNoBound::none;
};

/// Largest ratio of loss events that is likely (95 %) where `packets` showed none: the rule of three.
constexpr double largestUnseenLossRatio(std::uint64_t packets) {
  return 3.0 / static_cast<double>(packets);
}

enum class Timeouts : std::uint8_t {
  /// The model knows none: they, and more than 2 % of loss events, end it.
  unknownToModel,
  inModel,
};

/// For the sending side. `verdict` tells whether the path held the connection back.
LossBasis lossBasis(const ConnectionEvidence& evidence, const Verdict& verdict, Timeouts timeouts);

/// The bound of a model that gives `rate` for this basis.
Bound boundOf(BoundModel model, const LossBasis& basis, BitsPerSecond (*rate)(const LossBasis& basis));

}  // namespace tcpscope
