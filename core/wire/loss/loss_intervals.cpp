#include "core/wire/loss/loss_intervals.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace tcpscope {

namespace {

/// Mean density of the Poisson process' intervals over a bin.
double poissonBin(double rate, std::size_t bin) {
  const double from = static_cast<double>(bin) * kIntervalBinRtt;
  return std::exp(-rate * from) * -std::expm1(-rate * kIntervalBinRtt) / kIntervalBinRtt;
}

}  // namespace

std::vector<double> lossIntervalsOf(std::span<const Loss> losses, Nanoseconds rtt) {
  std::vector<double> intervals;
  if (losses.size() < 2 || rtt <= Nanoseconds(0)) return intervals;
  intervals.reserve(losses.size() - 1);
  for (std::size_t index = 1; index < losses.size(); ++index) {
    const Nanoseconds interval = std::max(losses[index].time - losses[index - 1].time, Nanoseconds(0));
    intervals.push_back(static_cast<double>(interval.count()) / static_cast<double>(rtt.count()));
  }
  return intervals;
}

std::optional<double> ratioWithin(std::span<const double> intervalsRtt, double limitRtt) {
  if (intervalsRtt.empty()) return std::nullopt;
  const auto within = std::count_if(intervalsRtt.begin(), intervalsRtt.end(),
                                    [limitRtt](double interval) { return interval <= limitRtt; });
  return static_cast<double>(within) / static_cast<double>(intervalsRtt.size());
}

std::optional<double> lossesPerRtt(std::span<const double> intervalsRtt) {
  const double span = std::accumulate(intervalsRtt.begin(), intervalsRtt.end(), 0.0);
  if (span <= 0.0) return std::nullopt;
  return static_cast<double>(intervalsRtt.size()) / span;
}

double poissonRatioWithin(double lossesPerRtt, double limitRtt) {
  return -std::expm1(-lossesPerRtt * limitRtt);
}

IntervalDensity intervalDensity(std::span<const double> intervalsRtt) {
  IntervalDensity result;
  result.intervals = intervalsRtt.size();
  result.density.resize(kIntervalBins);
  std::array<std::uint64_t, kIntervalBins> counts{};
  for (const double interval : intervalsRtt) {
    const double bin = interval / kIntervalBinRtt;
    if (bin < static_cast<double>(kIntervalBins)) {
      ++counts[static_cast<std::size_t>(bin)];
    } else {
      ++result.beyond;
    }
  }
  for (std::size_t bin = 0; bin < kIntervalBins; ++bin) {
    if (counts[bin] == 0) continue;
    result.density[bin] =
        static_cast<double>(counts[bin]) / (static_cast<double>(intervalsRtt.size()) * kIntervalBinRtt);
  }
  if (const auto rate = lossesPerRtt(intervalsRtt)) {
    for (std::size_t bin = 0; bin < kIntervalBins; ++bin) result.poissonDensity.push_back(poissonBin(*rate, bin));
  }
  return result;
}

IntervalShares intervalShares(std::span<const double> intervalsRtt) {
  constexpr double kLowestDecade = -5.0;
  constexpr int kBinsOfDecade = 8;
  IntervalShares shares;
  if (intervalsRtt.empty()) return shares;
  const auto decadeOf = [=](double interval) {
    return interval > 0.0 ? std::max(std::log10(interval), kLowestDecade) : kLowestDecade;
  };
  const auto [shortest, longest] = std::minmax_element(intervalsRtt.begin(), intervalsRtt.end());
  const double first = std::floor(decadeOf(*shortest));
  const double last = std::max(std::floor(decadeOf(*longest)) + 1.0, first + 2.0);
  const auto bins = static_cast<std::size_t>(std::lround((last - first) * kBinsOfDecade));
  for (std::size_t edge = 0; edge <= bins; ++edge) {
    shares.edgesRtt.push_back(std::pow(10.0, first + static_cast<double>(edge) / kBinsOfDecade));
  }
  shares.measured.resize(bins);
  for (const double interval : intervalsRtt) {
    const auto bin = static_cast<std::size_t>((decadeOf(interval) - first) * kBinsOfDecade);
    shares.measured[std::min(bin, bins - 1)] += 1.0 / static_cast<double>(intervalsRtt.size());
  }
  const auto rate = lossesPerRtt(intervalsRtt);
  for (std::size_t bin = 0; rate && bin < bins; ++bin) {
    shares.poisson.push_back(poissonRatioWithin(*rate, shares.edgesRtt[bin + 1]) -
                             poissonRatioWithin(*rate, shares.edgesRtt[bin]));
  }
  return shares;
}

}  // namespace tcpscope
