// The receive buffer here bounds what the peer may have under way, although the program reads at once.
#pragma once

#include "core/diagnosis/rules/rule.h"

namespace tcpscope::rules {

std::optional<Finding> receiveBufferTooSmall(const DiagnosisInput& input, const Verdict& verdict);

}  // namespace tcpscope::rules
