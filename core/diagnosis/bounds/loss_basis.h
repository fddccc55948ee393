// The input of the loss models: segment size, RTT, and loss events per packet with a confidence interval; or the reason
// why no loss model applies.
//
// Loss events, not lost packets: losses within one RTT are one event (Mathis and others 1997; RFC 5348 §5.2).
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

/// For the sending side. `verdict` shows whether the path limited the connection.
LossBasis lossBasis(const ConnectionEvidence& evidence, const Verdict& verdict, Timeouts timeouts);

/// The bound of a model that gives `rate` for this basis.
Bound boundOf(BoundModel model, const LossBasis& basis, BitsPerSecond (*rate)(const LossBasis& basis));

/// By the loss events of a capture, whose congestion control is unknown: it never applies.
Bound boundOfCapture(BoundModel model, const ConnectionEvidence& evidence,
                     BitsPerSecond (*rate)(const LossBasis& basis));

}  // namespace tcpscope
