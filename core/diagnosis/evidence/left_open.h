// Connections that one end has closed and the other has not: the program at this end keeps them, knowingly or not.
#pragma once

#include "core/diagnosis/evidence/connection_evidence.h"

namespace tcpscope {

inline constexpr Nanoseconds kLeftOpenFor = std::chrono::minutes(1);

/// For at least kLeftOpenFor CLOSE-WAIT (the peer has closed, the program here has not), or FIN-WAIT-2 that a program
/// still holds (it has closed its side alone, and the peer has not). The kernel ends on its own what no program holds.
bool isLeftOpen(const ConnectionEvidence& sending);

}  // namespace tcpscope
