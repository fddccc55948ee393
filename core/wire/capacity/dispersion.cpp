#include "core/wire/capacity/dispersion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace tcpscope {

namespace {

/// What makes the rates of trains of one length a capacity, by what is known of how they were sent.
struct Demands {
  bool mustBeSpread = false;
  /// Of the first packets of a transfer, bursts of a few agree by chance.
  std::size_t fewestArrivals = 0;
  std::size_t fewestAgreeing = 0;
};

constexpr Demands kOfAcknowledgments = {true, 200, 8};
constexpr Demands kOfData = {false, 200, 20};
/// Of a small window hardly anything is sent close together: each acknowledgment comes in the spacing that the path
/// gave the window when it was sent for the first time.
constexpr Demands kOfClockedAcknowledgments = {false, 200, 20};

/// In arrivals after the first.
constexpr std::array<std::size_t, 6> kTrainLengths = {1, 2, 4, 8, 16, 32};

/// Rates that agree lie within this factor of one another, as a logarithm.
constexpr double kAgreeing = 0.16;

struct TrainRates {
  /// Natural logarithms of bit/s, rising; of the trains that are faster than the whole.
  std::vector<float> logarithms;
  std::size_t trains = 0;
  /// Of these, that passed at one moment: the adapter or the scheduler passed several packets together.
  std::size_t together = 0;
};

/// Bits a second over all gaps that are known.
double meanRate(std::span<const Arrival> arrivals) {
  double bytes = 0.0;
  double nanoseconds = 0.0;
  for (const Arrival& arrival : arrivals) {
    if (!arrival.continues()) continue;
    bytes += arrival.bytes;
    nanoseconds += arrival.gapNs;
  }
  return nanoseconds > 0.0 ? bytes * kBitsPerByte * 1e9 / nanoseconds : 0.0;
}

/// Rates of all trains of `length` gaps.
TrainRates trainRates(std::span<const Arrival> arrivals, std::size_t length, bool mustBeSpread) {
  // Sent in less than this share of the time in which they arrived: it was the path that spread them.
  constexpr double kSentClose = 0.25;
  constexpr double kShortestNs = 1'000.0;
  constexpr double kFasterThanAll = 1.1;
  const double least = kFasterThanAll * meanRate(arrivals);
  TrainRates rates;
  double bytes = 0.0;
  double gapNs = 0.0;
  double sendGapNs = 0.0;
  std::size_t run = 0;
  for (std::size_t at = 0; at < arrivals.size(); ++at) {
    const Arrival& arrival = arrivals[at];
    if (!arrival.continues()) {
      bytes = gapNs = sendGapNs = 0.0;
      run = 0;
      continue;
    }
    bytes += arrival.bytes;
    gapNs += arrival.gapNs;
    sendGapNs += arrival.sendGapNs;
    if (++run < length) continue;
    const bool isTogether = gapNs < kShortestNs && sendGapNs < kShortestNs;
    if (isTogether || !mustBeSpread || sendGapNs < kSentClose * gapNs) {
      ++rates.trains;
      const double rate = bytes * kBitsPerByte * 1e9 / std::max(gapNs, kShortestNs);
      if (gapNs < kShortestNs) {
        ++rates.together;
      } else if (rate > least) {
        rates.logarithms.push_back(static_cast<float>(std::log(rate)));
      }
    }
    const Arrival& leaves = arrivals[at + 1 - length];
    bytes -= leaves.bytes;
    gapNs -= leaves.gapNs;
    sendGapNs -= leaves.sendGapNs;
  }
  std::sort(rates.logarithms.begin(), rates.logarithms.end());
  return rates;
}

/// Where most of the rates of one length of trains lie.
struct Agreement {
  std::size_t length = 0;
  double logarithm = 0.0;
  std::size_t agreeing = 0;
  /// Of all trains of that length: that agree, and that are clearly faster.
  double share = 0.0;
  double fasterShare = 0.0;
  /// Between which nine in ten of the rates near it lie.
  double low = 0.0;
  double high = 0.0;

  /// Trains that are faster than the path were pressed together behind it; some are, always. Longer trains may agree
  /// somewhat better than shorter ones that are clear: on what the packets of others leave of the path.
  [[nodiscard]] bool isClear() const {
    constexpr double kMany = 0.4;
    constexpr double kHardlyFaster = 0.04;
    return share >= kMany && fasterShare <= kHardlyFaster;
  }
  [[nodiscard]] double quality() const {
    constexpr double kAlwaysFaster = 0.05;
    return share - 2.0 * std::max(0.0, fasterShare - kAlwaysFaster);
  }
};

std::optional<Agreement> agreementOf(const TrainRates& rates, std::size_t length) {
  const std::vector<float>& all = rates.logarithms;
  if (all.empty()) return std::nullopt;
  std::size_t from = 0;
  std::size_t to = 0;
  for (std::size_t first = 0, last = 0; first < all.size(); ++first) {
    while (last < all.size() && all[last] <= all[first] + kAgreeing) ++last;
    if (last - first <= to - from) continue;
    from = first;
    to = last;
  }
  constexpr float kClearlyFaster = 0.2F;
  constexpr float kNear = 0.25F;
  const float middle = all[from + (to - from) / 2];
  const auto firstAbove = [&all](float logarithm) { return std::upper_bound(all.begin(), all.end(), logarithm); };
  const auto nearFrom = std::lower_bound(all.begin(), all.end(), middle - kNear);
  const auto near = static_cast<std::size_t>(firstAbove(middle + kNear) - nearFrom);
  const auto trains = static_cast<double>(rates.trains);
  Agreement found;
  found.length = length;
  found.logarithm = middle;
  found.agreeing = to - from;
  found.share = static_cast<double>(to - from) / trains;
  found.fasterShare =
      (static_cast<double>(all.end() - firstAbove(middle + kClearlyFaster)) + static_cast<double>(rates.together)) /
      trains;
  found.low = nearFrom[static_cast<std::ptrdiff_t>(near / 10)];
  found.high = nearFrom[static_cast<std::ptrdiff_t>(near - 1 - near / 10)];
  return found;
}

/// An even flow has the same rate at every length, and long trains with a pause in them have all much the same one: a
/// rate near that of the whole is the path's only where short trains leave no doubt.
bool standsOut(const Agreement& found, double wholeLogarithm) {
  constexpr double kTwice = 0.69;
  constexpr double kSomewhat = 0.34;
  constexpr double kMost = 0.45;
  constexpr std::size_t kShort = 4;
  const double above = found.logarithm - wholeLogarithm;
  if (above < kTwice && found.share < kMost) return false;
  return above >= kSomewhat || found.length <= kShort;
}

/// Those whose rates agree well enough to be looked at, the shortest trains first.
std::vector<Agreement> agreementsOf(std::span<const Arrival> arrivals, const Demands& demands) {
  constexpr double kSmallestShare = 0.2;
  std::vector<Agreement> all;
  const double whole = meanRate(arrivals);
  if (whole <= 0.0 || arrivals.size() < demands.fewestArrivals) return all;
  for (const std::size_t length : kTrainLengths) {
    const auto found = agreementOf(trainRates(arrivals, length, demands.mustBeSpread), length);
    if (!found || found->agreeing < demands.fewestAgreeing || found->share < kSmallestShare) continue;
    if (demands.mustBeSpread || standsOut(*found, std::log(whole))) all.push_back(*found);
  }
  return all;
}

/// The first that is clear, unless longer trains agree far better.
std::optional<Agreement> clearOne(const std::vector<Agreement>& all) {
  constexpr double kFarBetter = 0.2;
  std::optional<Agreement> best;
  for (const Agreement& one : all) {
    const bool isFirst = !best && one.isClear();
    if (isFirst || (best && one.quality() > best->quality() + kFarBetter)) best = one;
  }
  return best;
}

/// Where no length is clear on its own: the best of those that say the same.
std::optional<Agreement> commonOne(const std::vector<Agreement>& all) {
  constexpr double kSame = 0.08;
  constexpr double kTooLittle = 0.2;
  std::optional<Agreement> best;
  double most = 0.0;
  for (const Agreement& one : all) {
    double sum = 0.0;
    for (const Agreement& other : all) {
      if (std::abs(other.logarithm - one.logarithm) <= kSame) sum += std::max(other.quality(), 0.0);
    }
    const bool isBetterOfSame = best && sum == most && one.quality() > best->quality();
    if (sum > most || isBetterOfSame) best = one;
    most = std::max(most, sum);
  }
  return most >= kTooLittle ? best : std::nullopt;
}

/// Messages, too, are acknowledged one by one, in the spacing of the program that writes them.
bool areOfFullSegments(std::span<const Arrival> acknowledgments) {
  constexpr std::uint32_t kFullSegment = 1'000;
  constexpr double kNearlyAll = 0.9;
  const auto full = std::count_if(acknowledgments.begin(), acknowledgments.end(),
                                  [](const Arrival& one) { return one.bytes >= kFullSegment; });
  return static_cast<double>(full) >= kNearlyAll * static_cast<double>(acknowledgments.size());
}

std::optional<CapacityEstimate> estimate(std::span<const Arrival> arrivals, const Demands& demands) {
  const std::vector<Agreement> all = agreementsOf(arrivals, demands);
  auto best = clearOne(all);
  if (!best) best = commonOne(all);
  if (!best) return std::nullopt;
  // Clocks and adapters pass packets in steps that no spread of the rates shows.
  constexpr double kLeastSpread = 0.07;
  CapacityEstimate capacity;
  capacity.rate = BitsPerSecond(std::exp(best->logarithm));
  capacity.low = BitsPerSecond(std::exp(std::min(best->low, best->logarithm - kLeastSpread)));
  capacity.high = BitsPerSecond(std::exp(std::max(best->high, best->logarithm + kLeastSpread)));
  return capacity;
}

}  // namespace

std::optional<CapacityEstimate> capacityFromAcknowledgments(std::span<const Arrival> acknowledgments) {
  const auto ofTrains = estimate(acknowledgments, kOfAcknowledgments);
  if (ofTrains || !areOfFullSegments(acknowledgments)) return ofTrains;
  auto ofClock = estimate(acknowledgments, kOfClockedAcknowledgments);
  if (ofClock) ofClock->mayBeSendersPace = true;
  return ofClock;
}

std::optional<CapacityEstimate> capacityFromData(std::span<const Arrival> data) {
  return estimate(data, kOfData);
}

}  // namespace tcpscope
