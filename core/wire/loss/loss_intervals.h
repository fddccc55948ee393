// The times between one loss and the next in RTTs: their probability density beside that of the Poisson process
// with the same rate, as in figures 2 to 4 of "Packet Loss Burstiness" (Wei, Cao, Low 2007).
//
// The Poisson line is what losses would look like that know nothing of each other nor of the packets. A sender that
// sends in bursts leaves it even where every loss is independent; whether the losses themselves are clustered says
// random_drop_test.
#pragma once

#include <span>
#include <vector>

#include "core/wire/loss/loss.h"

namespace tcpscope {

/// In RTTs, one fewer than losses; nothing without an RTT.
std::vector<double> lossIntervalsOf(std::span<const Loss> losses, Nanoseconds rtt);

/// Share of the intervals that are not longer; nothing without intervals.
std::optional<double> ratioWithin(std::span<const double> intervalsRtt, double limitRtt);

/// Losses per RTT: one over the mean interval. Nothing without intervals, or where all losses are at one time.
std::optional<double> lossesPerRtt(std::span<const double> intervalsRtt);

/// Share of the intervals of a Poisson process of this rate that are not longer: 1 - exp(-rate × limit).
double poissonRatioWithin(double lossesPerRtt, double limitRtt);

inline constexpr double kIntervalBinRtt = 0.02;
inline constexpr std::size_t kIntervalBins = 100;
/// The last bin's end.
inline constexpr double kIntervalEndRtt = kIntervalBinRtt * static_cast<double>(kIntervalBins);

/// Bin i is [i, i + 1) × 0.02 RTT. Densities are per RTT: their sum × 0.02 is the share below 2 RTT.
struct IntervalDensity {
  std::uint64_t intervals = 0;
  /// Longer than the last bin's end, in none of them.
  std::uint64_t beyond = 0;
  /// A bin without any interval is nothing, not 0: a logarithmic axis has no place for it.
  std::vector<std::optional<double>> density;
  /// Empty where no rate is known.
  std::vector<double> poissonDensity;
};

IntervalDensity intervalDensity(std::span<const double> intervalsRtt);

/// All intervals over whole decades of RTTs, in eight bins a decade: those of a burst lie far left of those between
/// bursts. Only where the first edge is 0.00001 RTT are shorter ones in the first bin.
struct IntervalShares {
  /// One more than bins; empty without intervals.
  std::vector<double> edgesRtt;
  /// Of all intervals.
  std::vector<double> measured;
  /// Empty where no rate is known.
  std::vector<double> poisson;
};

IntervalShares intervalShares(std::span<const double> intervalsRtt);

}  // namespace tcpscope
