// The sender had to wait for retransmission timeouts.
#pragma once

#include "core/diagnosis/rules/rule.h"

namespace tcpscope::rules {

std::optional<Finding> timeouts(const DiagnosisInput& input, const Verdict& verdict);

}  // namespace tcpscope::rules
