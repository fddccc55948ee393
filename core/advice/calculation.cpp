#include "core/advice/calculation.h"

#include <array>

#include "core/advice/buffer_size.h"
#include "core/diagnosis/bounds/cubic.h"
#include "core/diagnosis/bounds/highspeed.h"
#include "core/diagnosis/bounds/mathis.h"
#include "core/diagnosis/bounds/pftk.h"
#include "core/diagnosis/bounds/window_rate.h"
#include "core/diagnosis/limits/socket_state.h"
#include "core/model/segment_size.h"

namespace tcpscope {

namespace {

double asDouble(Bytes bytes) {
  return static_cast<double>(bytes.value());
}

std::optional<Count> smallestScaleFor(double windowBytes) {
  // RFC 7323 §2.3.
  constexpr std::uint64_t kLargestShift = 14;
  for (std::uint64_t shift = 0; shift <= kLargestShift; ++shift) {
    if (windowCeilingBytes(Count(shift)) >= windowBytes) return Count(shift);
  }
  return std::nullopt;
}

MtuFigures figuresOf(Bytes mtu, const MtuComparison& comparison) {
  MtuFigures figures{mtu, segmentOf(mtu), std::nullopt, std::nullopt};
  if (comparison.rttSeconds && comparison.lossEventRatio) {
    figures.mathis = mathisRate(asDouble(figures.mss), *comparison.rttSeconds, *comparison.lossEventRatio);
  }
  if (comparison.rate) figures.packetsPerSecond = comparison.rate->value() / kBitsPerByte / asDouble(mtu);
  return figures;
}

}  // namespace

LossRates computeLossRates(const LossyPath& path, double constant) {
  const double mss = asDouble(path.mss);
  return {path, constant, mathisRate(mss, path.rttSeconds, path.lossEventRatio, constant),
          cubicRate(mss, path.rttSeconds, path.lossEventRatio),
          highspeedRate(mss, path.rttSeconds, path.lossEventRatio)};
}

TimeoutRate computeTimeoutRate(const LossyPath& path, double timeoutSeconds) {
  const double mss = asDouble(path.mss);
  return {path, timeoutSeconds, pftkRate(mss, path.rttSeconds, timeoutSeconds, path.lossEventRatio),
          mathisRate(mss, path.rttSeconds, path.lossEventRatio)};
}

double usualTimeoutSeconds(double rttSeconds) {
  constexpr double kLinuxMinimum = 0.2;
  return rttSeconds + kLinuxMinimum;
}

BudgetCalculation computeBudget(BitsPerSecond rate, double rttSeconds, Bytes mss, double constant) {
  constexpr double kAsPrinted = 1.0;
  return {mss, constant, lossBudget(rate, rttSeconds, asDouble(mss), constant),
          lossBudget(rate, rttSeconds, asDouble(mss), kAsPrinted)};
}

MtuComparison compareMtus(Bytes current, Bytes proposed, std::optional<double> rttSeconds,
                          std::optional<double> lossEventRatio, std::optional<BitsPerSecond> rate) {
  MtuComparison comparison{rttSeconds, lossEventRatio, rate, {}, {}};
  comparison.current = figuresOf(current, comparison);
  comparison.proposed = figuresOf(proposed, comparison);
  return comparison;
}

WindowOfRate computeWindow(BitsPerSecond rate, double rttSeconds) {
  const double windowBytes = bandwidthDelayBytes(rate, rttSeconds);
  WindowOfRate window{rate, rttSeconds, windowBytes, smallestScaleFor(windowBytes), {}, {}};
  window.rateUnscaled = rateOfWindow(windowCeilingBytes(Count(0)), rttSeconds);
  if (window.windowScale) window.buffer = bufferForPath(rate, rttSeconds);
  return window;
}

RateOfWindow computeWindowRate(double windowBytes, double rttSeconds) {
  return {windowBytes, rttSeconds, rateOfWindow(windowBytes, rttSeconds), smallestScaleFor(windowBytes)};
}

std::string_view name(const Calculation& calculation) {
  constexpr std::array<std::string_view, std::variant_size_v<Calculation>> kNames = {"mathis", "pftk",   "loss_budget",
                                                                                     "mtu",    "window", "window"};
  return kNames.at(calculation.index());
}

}  // namespace tcpscope
