// How the limits of a captured direction changed while it lasted: the verdict's rules, applied to each piece of time
// separately, with equal neighbours merged.
//
// What only the whole transfer shows (does its sender slow down for loss?) holds for each piece. A queue is looked for
// in each: it may build up in one and not show in the average of all. Short pieces join the neighbour that is most like
// them.
#pragma once

#include "core/diagnosis/evidence/connection_evidence.h"
#include "core/diagnosis/limits/limit_stretch.h"
#include "core/wire/waits/wait_timeline.h"

namespace tcpscope {

inline constexpr std::size_t kMostStretches = 16;

/// `evidence.waits` must not be absent; `steps` follow each other without a gap.
LimitHistory limitHistory(const ConnectionEvidence& evidence, const std::vector<WaitStep>& steps);

}  // namespace tcpscope
