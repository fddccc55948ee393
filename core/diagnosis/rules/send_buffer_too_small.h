// The send buffer holds less than a round trip of data at the rate the windows would allow.
#pragma once

#include "core/diagnosis/rules/rule.h"

namespace tcpscope::rules {

std::optional<Finding> sendBufferTooSmall(const DiagnosisInput& input, const Verdict& verdict);

}  // namespace tcpscope::rules
