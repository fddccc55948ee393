#include "core/present/text/sample_comparison_text.h"

#include <fmt/format.h>

#include <cmath>

namespace tcpscope {

namespace {

std::string chanceText(double pValue) {
  if (pValue < 0.001) return "chance alone does so in fewer than one of 1000 such comparisons";
  return fmt::format("chance alone does so in {:.1f} % of such comparisons", pValue * 100);
}

/// `speedup` is how many times as fast it is after.
std::string speedupText(const SampleComparison& comparison, double speedup, const Interval& range,
                        std::string_view which) {
  const std::string interval = fmt::format("(95 %: {:.2f} to {:.2f})", range.low, range.high);
  if (!comparison.isDecided()) {
    return fmt::format("No difference is shown: {:.2f} times as fast {} {}; more runs may tell.", speedup, which,
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
    return isDuration ? "Too few runs to say whether the change does anything."
                      : "Too little was seen to say whether the change does anything.";
  }
  const Interval& range = *comparison.ratioInterval95;
  return speedupText(comparison, speedup(comparison, kind),
                     isDuration ? range : Interval{1.0 / range.high, 1.0 / range.low}, which);
}

}  // namespace tcpscope
