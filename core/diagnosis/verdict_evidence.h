// The figures that a verdict rests on: the share that won, and what its cause was read from.
#pragma once

#include "core/diagnosis/connection_diagnosis.h"

namespace tcpscope {

std::vector<Evidence> sendingEvidence(const SocketObservation& socket, const WindowStatistics& window,
                                      const Verdict& verdict);
std::vector<Evidence> receivingEvidence(const SocketObservation& socket, const WindowStatistics& window,
                                        const Verdict& verdict);

}  // namespace tcpscope
