#include "core/present/json/comparison_json.h"

#include <array>

namespace tcpscope::json {

namespace {

Json intervalJson(const Interval& interval) {
  return Json::array({figure(interval.low), figure(interval.high)});
}

Json sample(const SampleSummary& summary, SampleKind kind) {
  constexpr std::array kValues = {"runs", "blocks", "transfers"};
  const std::string unit = kind == SampleKind::runs ? "_s" : "_bps";
  Json result = {{kValues.at(static_cast<std::size_t>(kind)), summary.count},
                 {"mean" + unit, figure(summary.mean)},
                 {"median" + unit, figure(summary.median)}};
  if (summary.standardDeviation) result["standard_deviation" + unit] = figure(*summary.standardDeviation);
  if (summary.meanInterval95) result["mean_interval95" + unit] = intervalJson(*summary.meanInterval95);
  return result;
}

}  // namespace

Json comparison(const SampleComparison& compared, SampleKind kind) {
  const bool isDuration = kind == SampleKind::runs;
  Json result = {{"before", sample(compared.before, kind)}, {"after", sample(compared.after, kind)}};
  if (compared.differenceInterval95) {
    result[isDuration ? "difference_interval95_s" : "difference_interval95_bps"] =
        intervalJson(*compared.differenceInterval95);
  }
  if (compared.pValue) result["welch_p_ratio"] = figure(*compared.pValue);
  result["speedup_ratio"] = figure(speedup(compared, kind));
  if (const auto& range = compared.ratioInterval95) {
    result["speedup_interval95_ratio"] =
        intervalJson(isDuration ? *range : Interval{1.0 / range->high, 1.0 / range->low});
  }
  result["decided"] = compared.isDecided();
  return result;
}

}  // namespace tcpscope::json
