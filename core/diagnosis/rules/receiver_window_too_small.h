// The window that the receiving end advertises holds the sender back, and its program reads at once: the receive buffer
// over there is too small for this path.
#pragma once

#include "core/diagnosis/rules/rule.h"

namespace tcpscope::rules {

std::optional<Finding> receiverWindowTooSmall(const DiagnosisInput& input, const Verdict& verdict);

}  // namespace tcpscope::rules
