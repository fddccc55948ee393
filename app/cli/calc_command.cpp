// `calc`: the equations of the diagnosis with figures from the command line, without a connection.
#include <functional>

#include "app/cli/commands.h"
#include "app/cli/connection_output.h"
#include "core/advice/calculation.h"
#include "core/advice/stated_figures.h"
#include "core/present/json/calc_document.h"
#include "core/present/text/calculation_text.h"

namespace tcpscope {

namespace {

/// A figure with the option that takes it.
struct FigureOption {
  const char* option;
  const StatedFigure& figure;
  const char* type;
};

constexpr FigureOption kRtt{"--rtt", kStatedRtt, "TIME"};
constexpr FigureOption kTimeout{"--rto", kStatedTimeout, "TIME"};
constexpr FigureOption kLoss{"--loss", kStatedLoss, "SHARE"};
constexpr FigureOption kRate{"--rate", kStatedRate, "RATE"};
constexpr FigureOption kWindow{"--window", kStatedWindow, "SIZE"};
constexpr FigureOption kMss{"--mss", kStatedMss, "SIZE"};
constexpr FigureOption kMtu{"--mtu", kStatedMtu, "SIZE"};
constexpr FigureOption kCurrentMtu{"--current-mtu", kStatedMtu, "SIZE"};

double valueOf(const FigureOption& option, const std::string& word) {
  if (const auto value = statedValue(option.figure, word)) return *value;
  throw CLI::ValidationError(option.option, fmt::format("takes {}, not '{}'", option.figure.takes, word));
}

CLI::Option* addFigure(CLI::App& command, const FigureOption& option, const std::string& what,
                       const std::function<void(double)>& take) {
  return command
      .add_option_function<std::string>(
          option.option, [&option, take](const std::string& word) { take(valueOf(option, word)); }, what)
      ->type_name(option.type);
}

CLI::Option* addRtt(CLI::App& command, CalcOptions& options) {
  return addFigure(command, kRtt, "RTT of the path, such as 20ms",
                   [&options](double microseconds) { options.rttSeconds = microseconds * 1e-6; });
}

CLI::Option* addLoss(CLI::App& command, CalcOptions& options) {
  return addFigure(command, kLoss, "Loss events per packet, such as 0.1% or 0.001: losses within one RTT are one event",
                   [&options](double ratio) { options.lossEventRatio = ratio; });
}

CLI::Option* addRate(CLI::App& command, CalcOptions& options, const std::string& what) {
  return addFigure(command, kRate, what, [&options](double rate) { options.rate = BitsPerSecond(rate); });
}

void addSize(CLI::App& command, const FigureOption& option, Bytes& size, const std::string& what) {
  addFigure(command, option, fmt::format("{}; by default {}", what, size.value()),
            [&size](double bytes) { size = Bytes(static_cast<std::uint64_t>(bytes)); });
}

void addMss(CLI::App& command, CalcOptions& options) {
  addSize(command, kMss, options.mss, "Bytes of data per packet (MSS)");
}

void addConstant(CLI::App& command, CalcOptions& options) {
  command.add_option("--constant", options.constant, "C of the equation; 1 as in equation (2) of the Web100 paper")
      ->check(CLI::Range(0.1, 10.0))
      ->capture_default_str()
      ->type_name("C");
}

/// Given on the command line: the options are required.
LossyPath lossyPathOf(const CalcOptions& options) {
  return {options.mss, options.rttSeconds.value(), options.lossEventRatio.value()};
}

Calculation calculate(const CalcOptions& options) {
  switch (options.equation) {
    case CalcEquation::mathis:
      return computeLossRates(lossyPathOf(options), options.constant);
    case CalcEquation::pftk: {
      const LossyPath path = lossyPathOf(options);
      return computeTimeoutRate(path, options.timeoutSeconds.value_or(usualTimeoutSeconds(path.rttSeconds)));
    }
    case CalcEquation::lossBudget:
      return computeBudget(options.rate.value(), options.rttSeconds.value(), options.mss, options.constant);
    case CalcEquation::mtu:
      return compareMtus(options.currentMtu, options.mtu, options.rttSeconds, options.lossEventRatio, options.rate);
    case CalcEquation::window:
      break;
  }
  if (options.rate) return computeWindow(*options.rate, options.rttSeconds.value());
  return computeWindowRate(options.windowBytes.value(), options.rttSeconds.value());
}

template <class Texts>
void appendItems(TextBuffer& out, std::string_view title, const Texts& texts) {
  for (const auto& text : texts) appendItem(out, &text == &texts.front() ? title : std::string_view(), text);
}

void appendCalculation(TextBuffer& out, const Calculation& calculation) {
  line(out, "{}", sentence(calculation));
  for (const CalculationLine& one : linesOf(calculation)) appendItem(out, one.label, one.text);
  const EquationText equation = equationOf(calculation);
  appendItem(out, "equation", equation.equation);
  appendItem(out, "source", equation.source);
  appendItems(out, "assumes", equation.assumptions);
  appendItems(out, "not valid", equation.notValid);
}

/// A command of `calc`.
CLI::App& addEquation(CLI::App& command, CalcOptions& options, bool& json, CalcEquation equation,
                      const std::string& word, const std::string& what) {
  CLI::App* const added = command.add_subcommand(word, what);
  added->add_flag("--json", json, "Print one JSON document");
  added->callback([&options, equation] { options.equation = equation; });
  return *added;
}

}  // namespace

void addCalcOptions(CLI::App& command, CalcOptions& options, bool& json) {
  command.require_subcommand(1);
  const auto add = [&](CalcEquation equation, const std::string& word, const std::string& what) -> CLI::App& {
    return addEquation(command, options, json, equation, word, what);
  };
  CLI::App& mathis = add(CalcEquation::mathis, "mathis", "The rate that loss and RTT allow, by the Mathis equation");
  addRtt(mathis, options)->required();
  addLoss(mathis, options)->required();
  addMss(mathis, options);
  addConstant(mathis, options);

  CLI::App& pftk =
      add(CalcEquation::pftk, "pftk", "The rate that loss, RTT and RTO allow, for more than 2 % of loss events");
  addRtt(pftk, options)->required();
  addLoss(pftk, options)->required();
  addMss(pftk, options);
  addFigure(pftk, kTimeout, "Retransmission timeout; by default RTT + 200ms, as Linux sets it",
            [&options](double microseconds) { options.timeoutSeconds = microseconds * 1e-6; });

  CLI::App& budget = add(CalcEquation::lossBudget, "loss-budget", "The loss that a rate and an RTT tolerate");
  addRate(budget, options, "Rate to reach, such as 100Mbit")->required();
  addRtt(budget, options)->required();
  addMss(budget, options);
  addConstant(budget, options);

  CLI::App& mtu = add(CalcEquation::mtu, "mtu", "What another MTU changes where loss limits the rate");
  addSize(mtu, kMtu, options.mtu, "MTU to calculate with");
  addSize(mtu, kCurrentMtu, options.currentMtu, "MTU to compare it with");
  CLI::Option* const rtt = addRtt(mtu, options);
  CLI::Option* const loss = addLoss(mtu, options)->needs(rtt);
  rtt->needs(loss);
  addRate(mtu, options, "Also calculate the packets per second at this rate");

  CLI::App& window = add(CalcEquation::window, "window", "The window that a rate takes, or the rate that one allows");
  addRtt(window, options)->required();
  CLI::Option* const rate = addRate(window, options, "Rate whose window is calculated, such as 100Mbit");
  addFigure(window, kWindow, "Window whose rate is calculated, such as 64KiB", [&options](double bytes) {
    options.windowBytes = bytes;
  })->excludes(rate);
}

ExitCode calcCommand(const CommandOptions& options) {
  const CalcOptions& calc = options.calc;
  if (calc.equation == CalcEquation::window && !calc.rate && !calc.windowBytes) {
    return fail(ExitCode::wrongUsage,
                "'calc window' needs a rate or a window; add --rate 100Mbit for the window that a rate takes, or "
                "--window 64KiB for the rate that a window allows");
  }
  const Calculation calculation = calculate(calc);
  if (options.json) return writeOut(toJson(calculation));
  TextBuffer out;
  appendCalculation(out, calculation);
  return writeOut({out.data(), out.size()});
}

}  // namespace tcpscope
