// Calculations without a connection in words: the result, what else follows, the equation with its source, what it
// assumes and where it does not hold.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/advice/calculation.h"

namespace tcpscope {

/// "At most 22.4 Mbit/s: Reno with an RTT of 20.0 ms, an MSS of 1448 bytes and one loss event in 1,000 packets."
std::string sentence(const Calculation& calculation);

struct CalculationLine {
  std::string_view label;
  std::string text;
};
/// What else follows: "CUBIC" and "at most 22.0 Mbit/s (RFC 9438 §5.1)".
std::vector<CalculationLine> linesOf(const Calculation& calculation);

struct EquationText {
  std::string_view equation;
  std::string source;
  std::vector<std::string_view> assumptions;
  /// Where it does not hold; empty where it always does.
  std::vector<std::string_view> notValid;
};
EquationText equationOf(const Calculation& calculation);

}  // namespace tcpscope
