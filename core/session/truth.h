// The known answer for a lab's main connection, as its set-up determines it: the verdicts of both ends are compared
// with it (agreement.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/diagnosis/evidence/exchange_shares.h"
#include "core/diagnosis/evidence/finding.h"

namespace tcpscope::lab {

struct Truth {
  /// The traffic it describes.
  std::string traffic;
  Limit limit = Limit::unknown;
  Cause cause = Cause::unknown;
  /// Rule keys that must, and must not, appear at the sending or the receiving end; a forbidden "any" stands for every
  /// finding that calls for a change, one above a note.
  std::vector<std::string> findings;
  std::vector<std::string> forbiddenFindings;
  /// Of requests and responses that alternate, seen from the sender: what takes most of the time.
  std::optional<SlowPart> slowPart{};
  bool operator==(const Truth&) const = default;
};

inline constexpr std::string_view kAnyFinding = "any";

}  // namespace tcpscope::lab
