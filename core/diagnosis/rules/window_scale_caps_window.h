// The window stands at the largest value that the window scale allows. The scale is agreed on when the connection
// begins, so that only a new connection can have a larger one.
#pragma once

#include "core/diagnosis/rules/rule.h"

namespace tcpscope::rules {

std::optional<Finding> windowScaleCapsWindow(const DiagnosisInput& input, const Verdict& verdict);

}  // namespace tcpscope::rules
