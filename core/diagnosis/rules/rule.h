// A rule finds one fault of one direction of a connection, or nothing.
//
// Rules are pure and independent of each other; their sentences are in core/present/text. The verdict is passed in, so
// that a rule about a limit knows whether that limit held.
#pragma once

#include <optional>

#include "core/diagnosis/evidence/connection_evidence.h"

namespace tcpscope {

struct Rule {
  RuleId id;
  std::optional<Finding> (*apply)(const ConnectionEvidence& evidence, const Verdict& verdict);
  /// Says something, too, where the connection opens or is stalled. Its retransmissions are no loss on a path that
  /// works.
  bool whereNothingMoves = false;
};

}  // namespace tcpscope
