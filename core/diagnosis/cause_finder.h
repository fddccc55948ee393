// Why a limit held: the one place where a cause is named, for every source of evidence.
//
// The distinction of a slow reader from a small buffer at the sending end is that of the Web100 users' guide, sharpened
// by measurement; README.md explains it, and how a policer is distinguished from random loss.
#pragma once

#include "core/diagnosis/evidence/connection_evidence.h"

namespace tcpscope {

/// A cause, and the factor by which it lowers the confidence of the verdict (1: not at all).
struct CauseFound {
  Cause cause = Cause::unknown;
  double confidence = 1.0;
};

/// Of a direction that waits for its timers: small packets pass, full ones do not (a path MTU black hole), how sure
/// that is. Nothing where what arrived shows otherwise.
std::optional<double> confidenceInBlackHole(const ConnectionEvidence& evidence);

/// Cause of `limit` for the direction of the evidence.
CauseFound findCause(Limit limit, const ConnectionEvidence& evidence);

}  // namespace tcpscope
