// Two samples of one figure, before and after a change: how far their means are apart, and how well that is known.
//
// Welch (Biometrika 1947) for the difference, which does not take the deviations as equal; a bootstrap by percentiles
// (Efron 1979) for the ratio, which does not take the values as normal either. Both take the values as independent.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/base/sample_summary.h"

namespace tcpscope {

/// What the values of a sample are: how long a run took, in seconds, or how fast a stretch of a transfer, or a whole
/// one, was, in bit/s.
enum class SampleKind : std::uint8_t { runs, blocks, transfers };

struct SampleComparison {
  SampleSummary before;
  SampleSummary after;
  /// Of mean after minus mean before; absent with fewer than two values on a side.
  std::optional<Interval> differenceInterval95;
  /// Two-sided: how often chance alone brings at least so much.
  std::optional<double> pValue;
  /// Mean before divided by mean after: above 1 where a duration became shorter. NaN where it says nothing.
  double ratio = 0.0;
  std::optional<Interval> ratioInterval95;

  /// The means differ, as both intervals say.
  [[nodiscard]] bool isDecided() const;
};

/// How many times as fast it is after, of samples of this kind.
double speedup(const SampleComparison& comparison, SampleKind kind);

/// The same samples give the same figures: the bootstrap's random numbers have a fixed seed.
SampleComparison compare(std::span<const double> before, std::span<const double> after);

}  // namespace tcpscope
