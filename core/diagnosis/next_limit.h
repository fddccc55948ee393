// What is known to limit a connection next, once the limit of a verdict is gone.
#pragma once

#include "core/diagnosis/evidence/connection_evidence.h"

namespace tcpscope {

/// The lowest of what stays where it is, other than the limit of `verdict`: the path's capacity, the program's pacing
/// limit, its locked send buffer, the window scale where another receiver's buffer would not change it. Congestion
/// window, receive window and tuned buffers grow with what is sent, and say nothing about what the path carries. Absent
/// where the bottleneck is saturated, where none of them is known, and where it would not be clearly more than the
/// goodput.
std::optional<NextLimit> nextLimit(const ConnectionEvidence& evidence, const Verdict& verdict);

}  // namespace tcpscope
