// The sending program leaves the connection waiting for data.
#pragma once

#include "core/diagnosis/rules/rule.h"

namespace tcpscope::rules {

std::optional<Finding> applicationTooSlow(const DiagnosisInput& input, const Verdict& verdict);

}  // namespace tcpscope::rules
