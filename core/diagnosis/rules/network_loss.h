// Packets are lost on the path, so many that loss takes part in setting the rate.
#pragma once

#include "core/diagnosis/rules/rule.h"

namespace tcpscope::rules {

std::optional<Finding> networkLoss(const DiagnosisInput& input, const Verdict& verdict);

}  // namespace tcpscope::rules
