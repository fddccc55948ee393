// Packets wait in a queue on the path: the round trip takes much longer than the shortest one seen.
#pragma once

#include "core/diagnosis/rules/rule.h"

namespace tcpscope::rules {

std::optional<Finding> queueing(const DiagnosisInput& input, const Verdict& verdict);

}  // namespace tcpscope::rules
