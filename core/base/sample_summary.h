// What repeated measurements of one figure come to: number, mean, standard deviation, the 95 % confidence interval of
// the mean, median.
//
// The interval is Student's: it assumes that the runs are independent and their mean nearly normal. From a single run
// there is no deviation and no interval.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace tcpscope {

struct Interval {
  double low = 0.0;
  double high = 0.0;
};

struct SampleSummary {
  std::size_t count = 0;
  /// NaN without any value, like the median.
  double mean = 0.0;
  double median = 0.0;
  /// Of the sample (n - 1).
  std::optional<double> standardDeviation;
  std::optional<Interval> meanInterval95;
};

/// NaN without any value.
double meanOf(std::span<const double> values);
SampleSummary summarize(std::span<const double> values);

/// In another unit: every figure times `factor`, which is above zero.
SampleSummary scaled(SampleSummary summary, double factor);

/// Interval of a mean that was published with its deviation; nothing for fewer than two values.
std::optional<Interval> meanInterval95(std::size_t count, double mean, double standardDeviation);

}  // namespace tcpscope
