#include "core/present/text/calculation_text.h"

#include <fmt/format.h>

#include "core/diagnosis/bounds/loss_basis.h"
#include "core/diagnosis/bounds/window_rate.h"
#include "core/present/text/quantity_text.h"
#include "core/present/text/remedy_text.h"

namespace tcpscope {

namespace {

std::string rateAtMost(BitsPerSecond rate) {
  return "at most " + formatRate(rate);
}

std::string packetText(Bytes size) {
  return fmt::format("{} bytes", size.value());
}

/// "one loss event in 1,000 packets", "a loss event ratio of 2.5 %"
std::string lossEventText(double lossEventRatio) {
  constexpr double kOften = 0.01;
  if (lossEventRatio > kOften) return "a loss event ratio of " + formatRatio(lossEventRatio);
  return fmt::format("one loss event in {} packets", formatWhole(1.0 / lossEventRatio));
}

std::string lossyPathText(const LossyPath& path) {
  return fmt::format("an RTT of {}, an MSS of {} and {}", formatTime(path.rttSeconds), packetText(path.mss),
                     lossEventText(path.lossEventRatio));
}

std::string windowScaleText(const std::optional<Count>& scale) {
  if (!scale) return "none is large enough: a shift of 14 ends at 1.00 GiB; use several connections";
  if (scale->value() == 0) return "not necessary: up to 65,535 bytes can be advertised without";
  return fmt::format("a shift of {} or more, for which both SYNs have to offer window scaling", scale->value());
}

std::string sentenceOf(const LossRates& rates) {
  const std::string constant =
      rates.constant == kMathisConstant ? std::string() : fmt::format(" (C = {:.4g})", rates.constant);
  return fmt::format("At most {}: Reno with {}{}.", formatRate(rates.mathis), lossyPathText(rates.path), constant);
}

std::string sentenceOf(const TimeoutRate& rate) {
  return fmt::format("At most {}: Reno with an RTO of {}, {}.", formatRate(rate.pftk), formatTime(rate.timeoutSeconds),
                     lossyPathText(rate.path));
}

std::string sentenceOf(const BudgetCalculation& calculation) {
  return sentence(calculation.budget);
}

std::string sentenceOf(const MtuComparison& mtus) {
  return fmt::format(
      "An MTU of {} instead of {}: {:.3g} times the data per packet, and where loss limits the rate, up to {:.3g} "
      "times "
      "the rate.",
      packetText(mtus.proposed.mtu), packetText(mtus.current.mtu), mtus.growth(), mtus.growth());
}

std::string sentenceOf(const WindowOfRate& window) {
  return fmt::format("{} at an RTT of {} takes a window of {} ({} bytes).", formatRate(window.rate),
                     formatTime(window.rttSeconds), formatBytes(window.windowBytes), formatWhole(window.windowBytes));
}

std::string sentenceOf(const RateOfWindow& window) {
  return fmt::format("A window of {} ({} bytes) at an RTT of {} allows {}.", formatBytes(window.windowBytes),
                     formatWhole(window.windowBytes), formatTime(window.rttSeconds), rateAtMost(window.rate));
}

using Lines = std::vector<CalculationLine>;

/// Where timeouts rule, which the model does not know.
void addTimeoutWarning(Lines& lines, double lossEventRatio) {
  if (lossEventRatio <= kMostLossWithoutTimeouts) return;
  lines.push_back({"warning", fmt::format("{} is above {:.0f} %, where timeouts rule: 'calc pftk' includes them",
                                          formatRatio(lossEventRatio), kMostLossWithoutTimeouts * 100.0)});
}

Lines linesFor(const LossRates& rates) {
  Lines lines = {{"CUBIC", rateAtMost(rates.cubic) + " (RFC 9438 §5.1)"},
                 {"HighSpeed", rateAtMost(rates.highspeed) + " (RFC 3649 §5)"}};
  addTimeoutWarning(lines, rates.path.lossEventRatio);
  return lines;
}

Lines linesFor(const TimeoutRate& rate) {
  return {{"Mathis", rateAtMost(rate.mathis) + " without timeouts"}};
}

Lines linesFor(const BudgetCalculation& calculation) {
  const LossBudget& budget = calculation.budget;
  const double segments =
      bandwidthDelayBytes(budget.rate, budget.rttSeconds) / static_cast<double>(calculation.mss.value());
  const std::string inFlight = segments < 1.0 ? "less than one segment" : formatWhole(segments) + " segments";
  Lines lines = {{"in flight", fmt::format("{} of {}", inFlight, packetText(calculation.mss))},
                 {"p", fmt::format("{:.3g} % with C = {:.4g}", budget.lossEventRatio * 100.0, calculation.constant)}};
  if (calculation.constant != 1.0) {
    lines.push_back({"", fmt::format("{:.3g} % with C = 1, as the paper prints the equation: one packet in {}",
                                     calculation.asPrinted.lossEventRatio * 100.0,
                                     formatWhole(calculation.asPrinted.packetsBetween))});
  }
  addTimeoutWarning(lines, budget.lossEventRatio);
  return lines;
}

Lines linesFor(const MtuComparison& mtus) {
  Lines lines = {{"MSS", fmt::format("{} instead of {}: 52 bytes are headers (IPv4, TCP, timestamps)",
                                     packetText(mtus.proposed.mss), packetText(mtus.current.mss))}};
  if (mtus.current.mathis && mtus.proposed.mathis) {
    lines.push_back({"Mathis", fmt::format("{} instead of {}, with an RTT of {} and {}",
                                           rateAtMost(*mtus.proposed.mathis), formatRate(*mtus.current.mathis),
                                           formatTime(*mtus.rttSeconds), lossEventText(*mtus.lossEventRatio))});
    addTimeoutWarning(lines, *mtus.lossEventRatio);
  }
  if (mtus.current.packetsPerSecond && mtus.proposed.packetsPerSecond) {
    lines.push_back(
        {"packets", fmt::format("{} a second instead of {}, at {}", formatWhole(*mtus.proposed.packetsPerSecond),
                                formatWhole(*mtus.current.packetsPerSecond), formatRate(*mtus.rate))});
  }
  return lines;
}

Lines linesFor(const WindowOfRate& window) {
  Lines lines = {{"scale", windowScaleText(window.windowScale)},
                 {"unscaled", rateAtMost(window.rateUnscaled) + " without window scaling (65,535 bytes)"}};
  if (window.buffer) {
    lines.push_back(
        {"buffer", fmt::format("{}: twice the window in whole 64 KiB, since about half of a buffer holds data",
                               formatBytes(static_cast<double>(window.buffer->value())))});
  }
  return lines;
}

Lines linesFor(const RateOfWindow& window) {
  return {{"scale", windowScaleText(window.windowScale)}};
}

/// Of the paper that has both equations of loss.
std::string ofWeb100Paper(std::string_view part) {
  return fmt::format("{} of Hacker, Athey, Sommerfield: Experiences Using Web100", part);
}

constexpr std::string_view kEvents = "p counts loss events per packet: losses within one RTT are one event";
constexpr std::string_view kBulk =
    "a long transfer at a constant RTT that no window, application or saturated bottleneck limits";
constexpr std::string_view kConstant =
    "C is 1.22 for periodic and up to 1.31 for random losses; Linux counts segments, so delayed ACKs do not lower it";
constexpr std::string_view kNotBbr = "for BBR, whose rate does not depend on loss";
constexpr std::string_view kNotAbove = "above 2 % of loss events, where timeouts rule ('calc pftk' includes them)";

EquationText equationFor(const LossRates& /*rates*/) {
  return {"rate ≤ MSS / RTT × C / √p",
          "Mathis, Semke, Mahdavi, Ott 1997; " + ofWeb100Paper("equation (1)"),
          {kEvents, kBulk, kConstant},
          {kNotAbove, kNotBbr}};
}

EquationText equationFor(const TimeoutRate& /*rate*/) {
  return {"rate ≤ MSS / (RTT × √(2p/3) + RTO × 3 × √(3p/8) × p × (1 + 32p²))",
          "Padhye, Firoiu, Towsley, Kurose 1998 (PFTK); RFC 5348 §3.1 with b = 1",
          {kEvents, kBulk, "without --rto: RTT + 200 ms, as Linux sets it where the RTT is steady"},
          {"for CUBIC on long paths, where it is faster ('calc mathis')", kNotBbr}};
}

EquationText equationFor(const BudgetCalculation& /*calculation*/) {
  return {"p ≤ (C × MSS / (rate × RTT))²",
          ofWeb100Paper("equation (2)") + "; RFC 8337: 3 × (segments in flight)²",
          {kEvents, kBulk, kConstant},
          {kNotAbove, "for CUBIC and HighSpeed TCP on long paths, where they tolerate more loss", kNotBbr}};
}

EquationText equationFor(const MtuComparison& /*mtus*/) {
  return {"rate ≤ MSS / RTT × C / √p, with MSS = MTU − headers",
          ofWeb100Paper("equation (1) and section 1.3"),
          {"every adapter, switch and router of the path carries the MTU", kBulk,
           sentence(Precondition::packetsAreLostNotBits)},
          {kNotAbove, kNotBbr}};
}

constexpr std::string_view kWindowIsABound =
    "any congestion control; losses and the capacity of the path may allow less";

EquationText equationFor(const WindowOfRate& /*window*/) {
  return {"window = rate × RTT (bandwidth-delay product)",
          ofWeb100Paper("section 2.1") + "; RFC 7323 §1.1",
          {"the RTT under load: a queue that builds up adds to it", kWindowIsABound},
          {}};
}

EquationText equationFor(const RateOfWindow& /*window*/) {
  return {"rate ≤ window / RTT",
          ofWeb100Paper("section 2.1") + "; RFC 7323 §1.1",
          {"the window is the smallest of receive window, congestion window and what the send buffer holds",
           kWindowIsABound},
          {}};
}

}  // namespace

std::string sentence(const Calculation& calculation) {
  return std::visit([](const auto& one) { return sentenceOf(one); }, calculation);
}

std::vector<CalculationLine> linesOf(const Calculation& calculation) {
  return std::visit([](const auto& one) { return linesFor(one); }, calculation);
}

EquationText equationOf(const Calculation& calculation) {
  return std::visit([](const auto& one) { return equationFor(one); }, calculation);
}

}  // namespace tcpscope
