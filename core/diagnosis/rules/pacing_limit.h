// The program set a limit of its own on the sending rate (SO_MAX_PACING_RATE), and the rate has reached it.
#pragma once

#include "core/diagnosis/rules/rule.h"

namespace tcpscope::rules {

std::optional<Finding> pacingLimit(const DiagnosisInput& input, const Verdict& verdict);

}  // namespace tcpscope::rules
