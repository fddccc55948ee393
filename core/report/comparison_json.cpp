#include "core/report/comparison_json.h"

namespace tcpscope::json {

namespace {

Json intervalJson(const Interval& interval) {
  return Json::array({figure(interval.low), figure(interval.high)});
}

Json sample(const SampleSummary& summary, SampleKind kind) {
  const std::string unit = kind == SampleKind::durations ? "_s" : "_bps";
  Json result = {{kind == SampleKind::durations ? "runs" : "blocks", summary.count},
                 {"mean" + unit, figure(summary.mean)},
                 {"median" + unit, figure(summary.median)}};
  if (summary.standardDeviation) result["standard_deviation" + unit] = figure(*summary.standardDeviation);
  if (summary.meanInterval95) result["mean_interval95" + unit] = intervalJson(*summary.meanInterval95);
  return result;
}

}  // namespace

Json comparison(const SampleComparison& compared, SampleKind kind) {
  const bool isDuration = kind == SampleKind::durations;
  Json result = {{"before", sample(compared.before, kind)}, {"after", sample(compared.after, kind)}};
  if (compared.differenceInterval95) {
    result[isDuration ? "difference_interval95_s" : "difference_interval95_bps"] =
        intervalJson(*compared.differenceInterval95);
  }
  if (compared.pValue) result["welch_p_ratio"] = figure(*compared.pValue);
  // Means before by after: a shorter duration is faster, a smaller rate slower.
  result["speedup_ratio"] = figure(isDuration ? compared.ratio : 1.0 / compared.ratio);
  if (const auto& range = compared.ratioInterval95) {
    result["speedup_interval95_ratio"] =
        intervalJson(isDuration ? *range : Interval{1.0 / range->high, 1.0 / range->low});
  }
  result["decided"] = compared.isDecided();
  return result;
}

}  // namespace tcpscope::json
