// A program does not read what has arrived: the one here (receiving side), or the one at the other end (sending side).
#pragma once

#include "core/diagnosis/rules/rule.h"

namespace tcpscope::rules {

std::optional<Finding> receivingApplicationTooSlow(const DiagnosisInput& input, const Verdict& verdict);

}  // namespace tcpscope::rules
