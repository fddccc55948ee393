// Advice for one connection of a snapshot, from whatever showed it: samples of the kernel, or the packets of a capture.
#pragma once

#include "core/advice/advice.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

/// `settings` are those of the host that sampled it; a capture has none, and its packets are the evidence: what only
/// the ends know is unknown.
ConnectionAdvice adviceFor(const ConnectionDetail& detail, const SysctlValues& settings, const AdviceGoal& goal);

}  // namespace tcpscope
