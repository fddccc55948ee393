// Packets overtake each other on the path, so that the sender takes late ones for lost.
#pragma once

#include "core/diagnosis/rules/rule.h"

namespace tcpscope::rules {

std::optional<Finding> reordering(const DiagnosisInput& input, const Verdict& verdict);

}  // namespace tcpscope::rules
