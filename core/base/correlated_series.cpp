#include "core/base/correlated_series.h"

#include <algorithm>
#include <cmath>

#include "core/base/sample_summary.h"

namespace tcpscope {

namespace {

/// Sum of the products of values that are `lag` apart, around their mean.
double covarianceSum(std::span<const double> values, double mean, std::size_t lag) {
  double sum = 0.0;
  for (std::size_t index = lag; index < values.size(); ++index) {
    sum += (values[index] - mean) * (values[index - lag] - mean);
  }
  return sum;
}

}  // namespace

double correlationSteps(std::span<const double> values) {
  if (values.size() < 4) return 1.0;
  const double mean = meanOf(values);
  const double variance = covarianceSum(values, mean, 0);
  if (!(variance > 0.0)) return 1.0;
  double sum = 0.0;
  for (std::size_t lag = 0; lag + 1 < values.size(); lag += 2) {
    const double pair = (covarianceSum(values, mean, lag) + covarianceSum(values, mean, lag + 1)) / variance;
    if (pair <= 0.0) break;
    sum += pair;
  }
  return std::max(1.0, 2.0 * sum - 1.0);
}

std::vector<double> blockMeans(std::span<const double> values, std::size_t stepsPerBlock) {
  stepsPerBlock = std::max<std::size_t>(stepsPerBlock, 1);
  std::vector<double> means;
  for (; values.size() >= stepsPerBlock; values = values.subspan(stepsPerBlock)) {
    means.push_back(meanOf(values.first(stepsPerBlock)));
  }
  return means;
}

std::vector<double> independentMeans(std::span<const double> values, std::size_t fewestSteps) {
  const auto apart = static_cast<std::size_t>(std::ceil(2.0 * correlationSteps(values)));
  // What depends on nothing need not be joined.
  return blockMeans(values, std::max(fewestSteps, apart > 2 ? apart : std::size_t{1}));
}

}  // namespace tcpscope
