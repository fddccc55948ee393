// How the limits of a captured transfer changed over its time: finely, as shares, and as stretches in which one and the
// same limit held.
#pragma once

#include <vector>

#include "core/base/moment.h"
#include "core/diagnosis/limits/limit.h"

namespace tcpscope {

struct LimitStretch {
  Moment from;
  Moment to;
  /// The limit; `unknown` where the packets do not show it, with the candidates.
  Limit limit = Limit::unknown;
  std::vector<Limit> candidates;
  /// Packets waited in a queue on the path the whole time: its rate set the pace, and not a congestion window alone.
  bool pathWasFull = false;
  LimitShares shares;

  [[nodiscard]] Nanoseconds span() const { return to - from; }
};

struct LimitStep {
  Moment from;
  Moment to;
  LimitShares shares;
};

/// Both cover the whole time, in its order.
struct LimitHistory {
  /// At most about 130, of equal length but for the first and the last.
  std::vector<LimitStep> steps;
  /// At most kMostStretches; none is shorter than a thirty-second of the whole, unless nothing is.
  std::vector<LimitStretch> stretches;
};

}  // namespace tcpscope
