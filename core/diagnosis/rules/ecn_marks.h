// Routers mark packets instead of dropping them (ECN): the path is congested.
#pragma once

#include "core/diagnosis/rules/rule.h"

namespace tcpscope::rules {

std::optional<Finding> ecnMarks(const DiagnosisInput& input, const Verdict& verdict);

}  // namespace tcpscope::rules
