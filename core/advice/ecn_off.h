// A queue of the path overflows, repairing what it drops takes a good part of the time, and the two ends did not agree
// on explicit congestion notification (RFC 3168): a queue that marks would tell the sender without dropping anything.
#pragma once

#include "core/advice/advice.h"

namespace tcpscope::remedies {

std::optional<Remedy> ecnOff(const AdviceInput& input);

}  // namespace tcpscope::remedies
