// What the equations of the diagnosis give without a connection: from figures that a person states, the figures that
// follow.
//
// All figures must be above zero, a loss ratio at most 1, an MTU above the headers.
#pragma once

#include <optional>
#include <string_view>
#include <variant>

#include "core/base/units.h"
#include "core/diagnosis/bounds/loss_budget.h"
#include "core/diagnosis/bounds/mathis.h"

namespace tcpscope {

/// A path that loses packets, and the segments sent over it.
struct LossyPath {
  Bytes mss;
  double rttSeconds = 0.0;
  /// Loss events per packet: losses within one RTT are one event.
  double lossEventRatio = 0.0;
};

/// Equation (1) of Web100's paper: the rate that loss allows Reno; beside it CUBIC and HighSpeed TCP by their models.
struct LossRates {
  LossyPath path;
  double constant = kMathisConstant;
  BitsPerSecond mathis;
  BitsPerSecond cubic;
  BitsPerSecond highspeed;
};
LossRates computeLossRates(const LossyPath& path, double constant = kMathisConstant);

/// The same with timeouts, for Reno.
struct TimeoutRate {
  LossyPath path;
  double timeoutSeconds = 0.0;
  BitsPerSecond pftk;
  /// Without timeouts.
  BitsPerSecond mathis;
};
TimeoutRate computeTimeoutRate(const LossyPath& path, double timeoutSeconds);
/// Of a steady RTT: Linux adds its minimum (net.ipv4.tcp_rto_min_us), 200 ms, to the smoothed RTT.
double usualTimeoutSeconds(double rttSeconds);

/// Equation (2): the loss that a rate can stand.
struct BudgetCalculation {
  Bytes mss;
  double constant = kMathisConstant;
  LossBudget budget;
  /// With C = 1, as the paper prints the equation.
  LossBudget asPrinted;
};
BudgetCalculation computeBudget(BitsPerSecond rate, double rttSeconds, Bytes mss, double constant = kMathisConstant);

/// One MTU with its segment, what loss allows there, and how many packets a second the rate takes.
struct MtuFigures {
  Bytes mtu;
  Bytes mss;
  std::optional<BitsPerSecond> mathis;
  std::optional<double> packetsPerSecond;
};

/// A path with an MTU of today's, and with another.
struct MtuComparison {
  /// Both, or neither.
  std::optional<double> rttSeconds;
  std::optional<double> lossEventRatio;
  /// Of packets with their IP headers; absent where packets a second are not asked for.
  std::optional<BitsPerSecond> rate;
  MtuFigures current;
  MtuFigures proposed;

  /// How many times as much data a segment carries: the rate of every model of loss grows with it.
  [[nodiscard]] double growth() const { return proposed.mss / current.mss; }
};
MtuComparison compareMtus(Bytes current, Bytes proposed, std::optional<double> rttSeconds,
                          std::optional<double> lossEventRatio, std::optional<BitsPerSecond> rate);

/// The window that a rate takes: the bandwidth-delay product.
struct WindowOfRate {
  BitsPerSecond rate;
  double rttSeconds = 0.0;
  double windowBytes = 0.0;
  /// The smallest shift with which it can be advertised; absent where none can.
  std::optional<Count> windowScale;
  /// For the largest window without window scaling.
  BitsPerSecond rateUnscaled;
  /// Of a receive or send buffer; absent where no window is as large.
  std::optional<Bytes> buffer;
};
WindowOfRate computeWindow(BitsPerSecond rate, double rttSeconds);

/// The rate that a window allows.
struct RateOfWindow {
  double windowBytes = 0.0;
  double rttSeconds = 0.0;
  BitsPerSecond rate;
  std::optional<Count> windowScale;
};
RateOfWindow computeWindowRate(double windowBytes, double rttSeconds);

using Calculation = std::variant<LossRates, TimeoutRate, BudgetCalculation, MtuComparison, WindowOfRate, RateOfWindow>;

/// "mathis", "pftk", "loss_budget", "mtu", "window": both directions of a window have one name.
std::string_view name(const Calculation& calculation);

}  // namespace tcpscope
