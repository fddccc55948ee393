// Options that fast transfers need were not agreed on: SACK, timestamps, window scaling, segments of a usual size.
#pragma once

#include "core/diagnosis/rules/rule.h"

namespace tcpscope::rules {

std::optional<Finding> optionsMissing(const DiagnosisInput& input, const Verdict& verdict);

}  // namespace tcpscope::rules
