// The verdict for a captured direction, as far as packets show it.
//
// Where the sender paused or paced on its own, or the path does not show that it limits the rate (wait_limits.h), the
// answer is unknown and the candidates are named. A narrow lead is no answer here.
#pragma once

#include "core/diagnosis/connection_diagnosis.h"
#include "core/diagnosis/evidence/connection_evidence.h"

namespace tcpscope {

/// Which limit these shares name, or which they may; `waits` are of the same time as they are, the rest of `evidence`
/// of the whole transfer.
struct WireAnswer {
  Limit limit = Limit::unknown;
  std::vector<Limit> candidates;
  /// Over the next largest, 0…1.
  double lead = 0.0;
};
/// `silenceAfter`: idle time that `shares` leave out.
WireAnswer wireAnswer(const LimitShares& shares, const ConnectionEvidence& evidence, const WaitEvidence& waits,
                      Nanoseconds silenceAfter);

/// `evidence.waits` must not be absent.
Verdict wireVerdict(const ConnectionEvidence& evidence);

}  // namespace tcpscope
