// The program fixed the size of a buffer (SO_SNDBUF, SO_RCVBUF), which switches the kernel's auto-tuning off.
#pragma once

#include "core/diagnosis/rules/rule.h"

namespace tcpscope::rules {

std::optional<Finding> bufferLocked(const DiagnosisInput& input, const Verdict& verdict);

}  // namespace tcpscope::rules
