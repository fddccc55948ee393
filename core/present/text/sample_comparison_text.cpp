#include "core/present/text/sample_comparison_text.h"

#include <fmt/format.h>

#include <cmath>

namespace tcpscope {

namespace {

std::string chanceText(double pValue) {
  if (pValue < 0.001) return "p < 0.001";
  return fmt::format("p = {:.3f}", pValue);
}

/// `speedup` is how many times as fast it is after.
std::string speedupText(const SampleComparison& comparison, double speedup, const Interval& range,
                        std::string_view which) {
  const std::string interval = fmt::format("(95 %: {:.2f} to {:.2f})", range.low, range.high);
  if (!comparison.isDecided()) {
    return fmt::format("No significant difference: {:.2f} times as fast {} {}; more runs may show one.", speedup, which,
                       interval);
  }
  return fmt::format("{:.2f} times as fast {} {}; {}.", speedup, which, interval, chanceText(*comparison.pValue));
}

}  // namespace

std::string sentence(const SampleComparison& comparison, SampleKind kind, std::string_view which) {
  const bool isDuration = kind == SampleKind::runs;
  const bool isCompared =
      comparison.pValue && comparison.ratioInterval95 && (isDuration || comparison.ratioInterval95->low > 0.0);
  if (!isCompared) {
    return isDuration ? "Too few runs to compare." : "Too few samples to compare.";
  }
  const Interval& range = *comparison.ratioInterval95;
  return speedupText(comparison, speedup(comparison, kind),
                     isDuration ? range : Interval{1.0 / range.high, 1.0 / range.low}, which);
}

}  // namespace tcpscope
