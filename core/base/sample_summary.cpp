#include "core/base/sample_summary.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace tcpscope {

namespace {

double medianOf(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : std::midpoint(sorted[middle - 1], sorted[middle]);
}

double deviationOf(std::span<const double> values, double mean) {
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

}  // namespace

double meanOf(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

SampleSummary summarize(std::span<const double> values) {
  SampleSummary summary;
  summary.count = values.size();
  summary.mean = std::numeric_limits<double>::quiet_NaN();
  summary.median = summary.mean;
  if (values.empty()) return summary;
  summary.mean = meanOf(values);
  summary.median = medianOf(values);
  if (values.size() < 2) return summary;
  summary.standardDeviation = deviationOf(values, summary.mean);
  summary.meanInterval95 = meanInterval95(summary.count, summary.mean, *summary.standardDeviation);
  return summary;
}

SampleSummary scaled(SampleSummary summary, double factor) {
  summary.mean *= factor;
  summary.median *= factor;
  if (summary.standardDeviation) *summary.standardDeviation *= factor;
  if (auto& interval = summary.meanInterval95) interval = Interval{interval->low * factor, interval->high * factor};
  return summary;
}

std::optional<Interval> meanInterval95(std::size_t count, double mean, double standardDeviation) {
  if (count < 2) return std::nullopt;
  constexpr double kUpperTail = 0.025;
  const boost::math::students_t distribution(static_cast<double>(count - 1));
  const double factor = boost::math::quantile(boost::math::complement(distribution, kUpperTail));
  const double half = factor * standardDeviation / std::sqrt(static_cast<double>(count));
  return Interval{mean - half, mean + half};
}

}  // namespace tcpscope
