#include "core/base/sample_comparison.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "core/base/random_stream.h"

namespace tcpscope {

namespace {

/// Squared standard error of the mean.
double errorSquared(const SampleSummary& summary) {
  return *summary.standardDeviation * *summary.standardDeviation / static_cast<double>(summary.count);
}

void addWelch(SampleComparison& comparison) {
  const double before = errorSquared(comparison.before);
  const double after = errorSquared(comparison.after);
  const double difference = comparison.after.mean - comparison.before.mean;
  const double error = std::sqrt(before + after);
  if (error <= 0.0) {
    comparison.differenceInterval95 = Interval{difference, difference};
    comparison.pValue = difference == 0.0 ? 1.0 : 0.0;
    return;
  }
  const auto degreesOf = [](const SampleSummary& one) { return static_cast<double>(one.count - 1); };
  const double freedom = (before + after) * (before + after) /
                         (before * before / degreesOf(comparison.before) + after * after / degreesOf(comparison.after));
  const boost::math::students_t distribution(freedom);
  constexpr double kUpperTail = 0.025;
  const double half = boost::math::quantile(boost::math::complement(distribution, kUpperTail)) * error;
  comparison.differenceInterval95 = Interval{difference - half, difference + half};
  comparison.pValue = 2.0 * boost::math::cdf(boost::math::complement(distribution, std::abs(difference) / error));
}

double resampledMean(std::span<const double> values, RandomStream& random) {
  double sum = 0.0;
  for (std::size_t draw = 0; draw < values.size(); ++draw) sum += values[random.below(values.size())];
  return sum / static_cast<double>(values.size());
}

std::optional<Interval> bootstrapRatio(std::span<const double> before, std::span<const double> after) {
  constexpr std::uint64_t kSeed = 1979;
  constexpr std::size_t kResamples = 10'000;
  constexpr std::size_t kTail = kResamples / 40;
  RandomStream random(kSeed, 0);
  std::vector<double> ratios;
  ratios.reserve(kResamples);
  for (std::size_t resample = 0; resample < kResamples; ++resample) {
    const double mean = resampledMean(before, random);
    const double meanAfter = resampledMean(after, random);
    ratios.push_back(meanAfter > 0.0 ? mean / meanAfter : std::numeric_limits<double>::infinity());
  }
  std::sort(ratios.begin(), ratios.end());
  const Interval interval{ratios[kTail], ratios[kResamples - 1 - kTail]};
  // Of draws from many zeros some have no mean.
  return std::isfinite(interval.low) && std::isfinite(interval.high) ? std::optional(interval) : std::nullopt;
}

}  // namespace

bool SampleComparison::isDecided() const {
  const bool differs = differenceInterval95 && (differenceInterval95->low > 0.0 || differenceInterval95->high < 0.0);
  return differs && ratioInterval95 && (ratioInterval95->low > 1.0 || ratioInterval95->high < 1.0);
}

double speedup(const SampleComparison& comparison, SampleKind kind) {
  return kind == SampleKind::runs ? comparison.ratio : 1.0 / comparison.ratio;
}

SampleComparison compare(std::span<const double> before, std::span<const double> after) {
  SampleComparison comparison;
  comparison.before = summarize(before);
  comparison.after = summarize(after);
  comparison.ratio = std::numeric_limits<double>::quiet_NaN();
  // A ratio says something of figures such as durations and rates: some may be zero, the mean may not.
  const auto hasMean = [](std::span<const double> values) {
    const bool isNegative = std::any_of(values.begin(), values.end(), [](double value) { return value < 0.0; });
    return !values.empty() && !isNegative && meanOf(values) > 0.0;
  };
  const bool hasRatio = hasMean(before) && hasMean(after);
  if (hasRatio) comparison.ratio = meanOf(before) / meanOf(after);
  if (before.size() < 2 || after.size() < 2) return comparison;
  addWelch(comparison);
  if (hasRatio) comparison.ratioInterval95 = bootstrapRatio(before, after);
  return comparison;
}

}  // namespace tcpscope
