#include "core/present/text/calculator_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/advice/calculation.h"
#include "core/diagnosis/bounds/loss_basis.h"
#include "core/present/text/calculation_text.h"
#include "core/present/text/quantity_text.h"

namespace tcpscope {

namespace {

struct FieldText {
  std::string_view title;
  std::string_view explanation;
  const StatedFigure& figure;
};

FieldText textOf(CalculatorField field) {
  switch (field) {
    case CalculatorField::rtt:
      return {"RTT", "RTT of the path under load: a queue that builds up adds to it", kStatedRtt};
    case CalculatorField::loss:
      return {"Loss", "Loss events per packet: losses within one RTT are one event", kStatedLoss};
    case CalculatorField::rate:
      return {"Rate", "Rate to reach; of a connection, its goodput", kStatedRate};
    case CalculatorField::window:
      return {"Window", "Data in flight at most; of a sender, the smaller of receive window and congestion window",
              kStatedWindow};
    case CalculatorField::mss:
      return {"MSS", "Bytes of data per packet", kStatedMss};
    case CalculatorField::mtu:
      return {"MTU", "MTU of the path", kStatedMtu};
    case CalculatorField::otherMtu:
      break;
  }
  return {"Other MTU", "MTU to compare it with, such as 9000 bytes (jumbo frames)", kStatedMtu};
}

std::string typedBytes(double bytes) {
  return fmt::format("{:.0f} bytes", bytes);
}

std::string typedBytes(const std::optional<Bytes>& bytes) {
  return bytes ? typedBytes(static_cast<double>(bytes->value())) : std::string();
}

/// Of three digits, without an exponent.
std::string typedShare(double ratio) {
  const double percent = ratio * 100.0;
  const int digits = std::clamp(2 - static_cast<int>(std::floor(std::log10(percent))), 0, 12);
  std::string text = fmt::format("{:.{}f}", percent, digits);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text + " %";
}

std::string typedTime(double seconds) {
  constexpr double kMinute = 60.0;
  return seconds < kMinute - 0.005 ? formatTime(seconds) : fmt::format("{:.0f} s", seconds);
}

std::string atMost(BitsPerSecond rate) {
  return "at most " + formatRate(rate);
}

/// "needs RTT and loss" with those that are absent.
class Missing {
public:
  template <class Value>
  Missing& unless(const std::optional<Value>& value, std::string_view what) {
    if (!value) m_names.push_back(what);
    return *this;
  }
  [[nodiscard]] bool none() const { return m_names.empty(); }
  [[nodiscard]] std::string text() const {
    std::string list;
    for (std::size_t number = 0; number < m_names.size(); ++number) {
      if (number > 0) list += number + 1 == m_names.size() ? " and " : ", ";
      list += m_names[number];
    }
    return "needs " + list;
  }

private:
  std::vector<std::string_view> m_names;
};

/// The row of a calculation that has all of its figures.
CalculatorRow rowOf(std::string_view title, std::string result, const Calculation& calculation) {
  const EquationText equation = equationOf(calculation);
  CalculatorRow row{title, std::move(result), true, equation.equation, {sentence(calculation)}};
  for (const CalculationLine& line : linesOf(calculation)) {
    row.details.push_back(line.label.empty() ? line.text : fmt::format("{}: {}", line.label, line.text));
  }
  row.details.push_back("Source: " + equation.source);
  for (const std::string_view assumption : equation.assumptions)
    row.details.push_back(fmt::format("Assumes: {}", assumption));
  for (const std::string_view limit : equation.notValid) row.details.push_back(fmt::format("Not valid: {}", limit));
  return row;
}

CalculatorRow missingRow(std::string_view title, std::string_view equation, const Missing& missing) {
  return {title, missing.text(), false, equation, {}};
}

constexpr std::string_view kWindowTitle = "Window for the rate";
constexpr std::string_view kWindowRateTitle = "Rate that the window allows";
constexpr std::string_view kMathisTitle = "Rate at this loss, Reno (Mathis)";
constexpr std::string_view kCubicTitle = "Rate at this loss, CUBIC";
constexpr std::string_view kTimeoutTitle = "Rate at this loss, Reno with timeouts (PFTK)";
constexpr std::string_view kBudgetTitle = "Loss that the rate tolerates, Reno";
constexpr std::string_view kMtuTitle = "Rate with the other MTU, Reno (Mathis)";
constexpr std::string_view kCubicEquation = "average window of RFC 9438 §5.1 / RTT";

std::string_view equationText(const Calculation& calculation) {
  return equationOf(calculation).equation;
}

CalculatorRow windowRow(const StatedFigures& figures) {
  Missing missing;
  missing.unless(figures.rttSeconds, "RTT").unless(figures.rate, "rate");
  if (!missing.none()) return missingRow(kWindowTitle, equationText(WindowOfRate{}), missing);
  const WindowOfRate window = computeWindow(*figures.rate, *figures.rttSeconds);
  return rowOf(kWindowTitle,
               fmt::format("{} ({} bytes)", formatBytes(window.windowBytes), formatWhole(window.windowBytes)), window);
}

CalculatorRow windowRateRow(const StatedFigures& figures) {
  Missing missing;
  missing.unless(figures.rttSeconds, "RTT").unless(figures.windowBytes, "window");
  if (!missing.none()) return missingRow(kWindowRateTitle, equationText(RateOfWindow{}), missing);
  const RateOfWindow rate = computeWindowRate(*figures.windowBytes, *figures.rttSeconds);
  return rowOf(kWindowRateTitle, atMost(rate.rate), rate);
}

void addLossRows(const StatedFigures& figures, std::vector<CalculatorRow>& rows) {
  Missing missing;
  missing.unless(figures.rttSeconds, "RTT").unless(figures.lossEventRatio, "loss").unless(figures.mss, "MSS");
  if (!missing.none()) {
    rows.push_back(missingRow(kMathisTitle, equationText(LossRates{}), missing));
    rows.push_back(missingRow(kCubicTitle, kCubicEquation, missing));
    rows.push_back(missingRow(kTimeoutTitle, equationText(TimeoutRate{}), missing));
    return;
  }
  const LossyPath path{*figures.mss, *figures.rttSeconds, *figures.lossEventRatio};
  const LossRates rates = computeLossRates(path);
  // The models without timeouts promise too much then.
  const std::string beyond =
      path.lossEventRatio > kMostLossWithoutTimeouts ? "; above 2 % of loss events, PFTK holds" : std::string();
  rows.push_back(rowOf(kMathisTitle, atMost(rates.mathis) + beyond, rates));
  rows.push_back(rowOf(kCubicTitle, atMost(rates.cubic) + beyond, rates));
  rows.back().equation = kCubicEquation;
  const TimeoutRate timeouts = computeTimeoutRate(path, usualTimeoutSeconds(path.rttSeconds));
  rows.push_back(rowOf(kTimeoutTitle, atMost(timeouts.pftk), timeouts));
}

CalculatorRow budgetRow(const StatedFigures& figures) {
  Missing missing;
  missing.unless(figures.rttSeconds, "RTT").unless(figures.rate, "rate").unless(figures.mss, "MSS");
  if (!missing.none()) return missingRow(kBudgetTitle, equationText(BudgetCalculation{}), missing);
  const BudgetCalculation budget = computeBudget(*figures.rate, *figures.rttSeconds, *figures.mss);
  return rowOf(kBudgetTitle,
               fmt::format("{}: one loss event in {} packets", typedShare(budget.budget.lossEventRatio),
                           formatWhole(budget.budget.packetsBetween)),
               budget);
}

CalculatorRow mtuRow(const StatedFigures& figures) {
  Missing missing;
  missing.unless(figures.mtu, "MTU").unless(figures.otherMtu, "other MTU");
  if (!missing.none()) return missingRow(kMtuTitle, equationText(MtuComparison{}), missing);
  const bool hasPath = figures.rttSeconds && figures.lossEventRatio;
  const MtuComparison mtus = compareMtus(*figures.mtu, *figures.otherMtu, hasPath ? figures.rttSeconds : std::nullopt,
                                         hasPath ? figures.lossEventRatio : std::nullopt, figures.rate);
  const std::string growth = fmt::format("{:.3g} times", mtus.growth());
  return rowOf(kMtuTitle,
               mtus.proposed.mathis ? fmt::format("{} ({})", atMost(*mtus.proposed.mathis), growth)
                                    : growth + " the rate, where loss limits it",
               mtus);
}

}  // namespace

std::string_view title(CalculatorField field) {
  return textOf(field).title;
}

std::string_view explanation(CalculatorField field) {
  return textOf(field).explanation;
}

std::string hint(CalculatorField field) {
  const FieldText text = textOf(field);
  return fmt::format("{} takes {}.", text.title, text.figure.takes);
}

std::string typedText(const StatedFigures& figures, CalculatorField field) {
  switch (field) {
    case CalculatorField::rtt:
      return figures.rttSeconds ? typedTime(*figures.rttSeconds) : std::string();
    case CalculatorField::loss:
      return figures.lossEventRatio ? typedShare(*figures.lossEventRatio) : std::string();
    case CalculatorField::rate:
      return figures.rate ? formatRate(*figures.rate) : std::string();
    case CalculatorField::window:
      return figures.windowBytes ? typedBytes(*figures.windowBytes) : std::string();
    case CalculatorField::mss:
      return typedBytes(figures.mss);
    case CalculatorField::mtu:
      return typedBytes(figures.mtu);
    case CalculatorField::otherMtu:
      break;
  }
  return typedBytes(figures.otherMtu);
}

bool takeTyped(StatedFigures& figures, CalculatorField field, std::string_view text) {
  const bool isEmpty = text.find_first_not_of(' ') == std::string_view::npos;
  const auto value = isEmpty ? std::nullopt : statedValue(textOf(field).figure, text);
  const auto bytes = value ? std::optional(Bytes(static_cast<std::uint64_t>(*value))) : std::nullopt;
  switch (field) {
    case CalculatorField::rtt:
      figures.rttSeconds = value ? std::optional(*value * 1e-6) : std::nullopt;
      break;
    case CalculatorField::loss:
      figures.lossEventRatio = value;
      break;
    case CalculatorField::rate:
      figures.rate = value ? std::optional(BitsPerSecond(*value)) : std::nullopt;
      break;
    case CalculatorField::window:
      figures.windowBytes = value;
      break;
    case CalculatorField::mss:
      figures.mss = bytes;
      break;
    case CalculatorField::mtu:
      figures.mtu = bytes;
      break;
    case CalculatorField::otherMtu:
      figures.otherMtu = bytes;
      break;
  }
  return isEmpty || value.has_value();
}

std::vector<CalculatorRow> calculatorRows(const StatedFigures& figures) {
  std::vector<CalculatorRow> rows = {windowRow(figures), windowRateRow(figures)};
  addLossRows(figures, rows);
  rows.push_back(budgetRow(figures));
  rows.push_back(mtuRow(figures));
  return rows;
}

}  // namespace tcpscope
