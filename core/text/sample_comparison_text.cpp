#include "core/text/sample_comparison_text.h"

#include <fmt/format.h>

#include <cmath>

namespace tcpscope {

namespace {

std::string chanceText(double pValue) {
  if (pValue < 0.001) return "chance alone does so in fewer than one of 1000 such comparisons";
  return fmt::format("chance alone does so in {:.1f} % of such comparisons", pValue * 100);
}

}  // namespace

std::string sentence(const SampleComparison& comparison) {
  if (!comparison.pValue || !comparison.ratioInterval95) return "Too few runs to say whether the change does anything.";
  const Interval& range = *comparison.ratioInterval95;
  const std::string interval = fmt::format("(95 %: {:.2f} to {:.2f})", range.low, range.high);
  if (!comparison.isDecided()) {
    return fmt::format("No difference is shown: {:.2f} times as fast with it {}; more runs may tell.", comparison.ratio,
                       interval);
  }
  return fmt::format("{:.2f} times as fast with it {}; {}.", comparison.ratio, interval,
                     chanceText(*comparison.pValue));
}

}  // namespace tcpscope
