// The congestion window sets the rate although neither loss nor a queue was seen: it has not grown to what the path
// would take.
#pragma once

#include "core/diagnosis/rules/rule.h"

namespace tcpscope::rules {

std::optional<Finding> congestionWindow(const DiagnosisInput& input, const Verdict& verdict);

}  // namespace tcpscope::rules
