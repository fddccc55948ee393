// What rules, bounds and verdicts read: one side of one connection over one span.
#pragma once

#include "core/diagnosis/evidence/finding.h"
#include "core/diagnosis/evidence/window_statistics.h"

namespace tcpscope {

/// What a rule and a bound may look at.
struct DiagnosisInput {
  const SocketObservation& socket;
  const WindowStatistics& window;
  Side side;
};

}  // namespace tcpscope
