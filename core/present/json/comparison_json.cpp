#include "core/present/json/comparison_json.h"

#include <array>

namespace tcpscope::json {

namespace {

void intervalMember(JsonWriter& out, std::string_view key, const std::optional<Interval>& interval) {
  if (!interval) return;
  out.array(key, std::array{interval->low, interval->high}, [&out](double end) { out.value(end); });
}

void sample(JsonWriter& out, const SampleSummary& summary, SampleKind kind) {
  constexpr std::array kValues = {"runs", "blocks", "transfers"};
  const std::string unit = kind == SampleKind::runs ? "_s" : "_bps";
  out.object([&] {
    out.member(kValues.at(static_cast<std::size_t>(kind)), summary.count);
    out.member("mean" + unit, summary.mean);
    out.member("median" + unit, summary.median);
    out.member("standard_deviation" + unit, summary.standardDeviation);
    intervalMember(out, "mean_interval95" + unit, summary.meanInterval95);
  });
}

}  // namespace

void comparisonMembers(JsonWriter& out, const SampleComparison& compared, SampleKind kind) {
  const bool isDuration = kind == SampleKind::runs;
  out.member("before", [&] { sample(out, compared.before, kind); });
  out.member("after", [&] { sample(out, compared.after, kind); });
  intervalMember(out, isDuration ? "difference_interval95_s" : "difference_interval95_bps",
                 compared.differenceInterval95);
  out.member("welch_p_ratio", compared.pValue);
  out.member("speedup_ratio", speedup(compared, kind));
  if (const auto& range = compared.ratioInterval95) {
    intervalMember(out, "speedup_interval95_ratio",
                   isDuration ? *range : Interval{1.0 / range->high, 1.0 / range->low});
  }
  out.member("decided", compared.isDecided());
}

}  // namespace tcpscope::json
