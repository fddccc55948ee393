// A rule looks at one side of a connection and finds one fault, or nothing.
//
// Rules are pure and know nothing of each other; what they say is in core/text. The verdict already reached is passed
// in, so that a rule about a limit can tell whether that limit held the connection back.
#pragma once

#include <optional>

#include "core/diagnosis/evidence/diagnosis_input.h"

namespace tcpscope {

struct Rule {
  RuleId id;
  std::optional<Finding> (*apply)(const DiagnosisInput& input, const Verdict& verdict);
};

}  // namespace tcpscope
