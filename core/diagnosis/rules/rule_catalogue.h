// The list of rules about connections: a rule is a function in rules.h, a row here and a sentence in core/present/text.
#pragma once

#include <span>

#include "core/diagnosis/rules/rule.h"

namespace tcpscope {

/// One row a rule, in the order of RuleId; rules about listeners are not among them (see diagnoseListener).
std::span<const Rule> ruleCatalogue();

/// The findings of all rules, by severity, then by confidence, highest first.
std::vector<Finding> findingsOf(const ConnectionEvidence& evidence, const Verdict& verdict);

}  // namespace tcpscope
