// The calculator: its fields as people type them, and what follows from them by the same equations as in
// calculation_text.h.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/advice/stated_figures.h"

namespace tcpscope {

enum class CalculatorField : std::uint8_t { rtt, loss, rate, window, mss, mtu, otherMtu };
inline constexpr std::array kCalculatorFields = {CalculatorField::rtt,     CalculatorField::loss, CalculatorField::rate,
                                                 CalculatorField::window,  CalculatorField::mss,  CalculatorField::mtu,
                                                 CalculatorField::otherMtu};

std::string_view title(CalculatorField field);
std::string_view explanation(CalculatorField field);
/// "RTT takes a time from 1us to 1h such as 20ms."
std::string hint(CalculatorField field);

/// As a person types it, with its unit: "20.0 ms". Empty where it is unknown.
std::string typedText(const StatedFigures& figures, CalculatorField field);
/// The figure from what was typed, absent where that is empty. False, and absent, where it is no such figure.
bool takeTyped(StatedFigures& figures, CalculatorField field, std::string_view text);

struct CalculatorRow {
  std::string_view title;
  /// Where a figure is missing, which one: "needs RTT and loss".
  std::string result;
  bool isKnown = false;
  std::string_view equation;
  /// What else follows, source and assumptions, a line each.
  std::vector<std::string> details;
};

/// Always the same rows in the same order.
std::vector<CalculatorRow> calculatorRows(const StatedFigures& figures);

}  // namespace tcpscope
