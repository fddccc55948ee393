// THE list of rules over connections. A rule is a file pair in rules/, one row here, one sentence in core/text.
#pragma once

#include <span>

#include "core/diagnosis/rules/rule.h"

namespace tcpscope {

/// One row a rule, in the order of RuleId; rules about listeners are not among them (see diagnoseListener).
std::span<const Rule> ruleCatalogue();

/// What the rules find, the gravest and surest first.
std::vector<Finding> findingsOf(const DiagnosisInput& input, const Verdict& verdict);

}  // namespace tcpscope
