#include "core/loss/burst_verdict.h"

#include <algorithm>
#include <cmath>

#include "core/experiment/proportion.h"

namespace tcpscope {

namespace {

/// How surely chance must be rejected before something else is named.
constexpr double kRejected = 0.01;
/// Below it chance is in doubt.
constexpr double kDoubtful = 0.02;

bool isClustered(const BurstSigns& signs) {
  return signs.randomDrop && signs.randomDrop->clusteredPValue <= kRejected;
}

bool isRegular(const BurstSigns& signs) {
  return signs.randomDrop && signs.randomDrop->regularPValue <= kRejected;
}

bool looksRandom(const BurstSigns& signs) {
  return signs.randomDrop && signs.randomDrop->clusteredPValue > kDoubtful &&
         signs.randomDrop->regularPValue > kDoubtful;
}

BurstVerdict unknown(std::vector<BurstCause> candidates) {
  return {BurstCause::unknown, 0.0, std::move(candidates)};
}

double lowerEnd(std::uint64_t happened, std::uint64_t trials) {
  const auto interval = proportionInterval95(happened, trials);
  return interval ? interval->low : 0.0;
}

/// The round trip is not only above the median, as it is before every second packet, but nearly always.
double surenessOfRise(const BurstSigns& signs) {
  constexpr double kNearlyAlways = 0.6;
  // Busy hosts delay packets, too.
  constexpr double kRise = 0.06;
  if (!signs.rise || !signs.roundTrips) return 0.0;
  const bool isLong = toSeconds(signs.rise->rise) >= kRise * toSeconds(signs.roundTrips->minimum);
  const double sureness = lowerEnd(signs.rise->aboveMedian, signs.rise->events);
  return isLong && sureness >= kNearlyAlways ? sureness : 0.0;
}

bool roundTripStaysFlat(const BurstSigns& signs) {
  constexpr double kFlat = 0.05;
  return signs.rise && signs.roundTrips && toSeconds(signs.rise->rise) < kFlat * toSeconds(signs.roundTrips->minimum);
}

/// A steady rate is let through, and a queue of that depth would show in the round trips.
bool isBucketWithoutQueue(const BurstSigns& signs) {
  constexpr double kOfDepth = 1.0 / 3.0;
  return signs.rise && toSeconds(signs.rise->rise) < kOfDepth * toSeconds(signs.acceptedRate->depth);
}

BurstVerdict overflowing(const BurstSigns& signs, double sureness) {
  // The round trips say it alone; a pattern that chance does not give says it, too.
  constexpr double kByRoundTripsOnly = 0.85;
  const double factor = isClustered(signs) || isRegular(signs) ? 1.0 : kByRoundTripsOnly;
  return {BurstCause::queueOverflow, sureness * factor, {}};
}

BurstVerdict byChance(const BurstSigns& signs) {
  // So few would look random whatever dropped them.
  constexpr std::uint64_t kEnoughEvents = 15;
  // Without round trips a queue that overflows now and then is not excluded.
  constexpr double kWithoutRoundTrips = 0.8;
  if (signs.events < kEnoughEvents) return unknown({BurstCause::random, BurstCause::queueOverflow});
  const double sureness = 1.0 - 1.0 / std::sqrt(static_cast<double>(signs.events));
  return {BurstCause::random, signs.rise ? sureness : sureness * kWithoutRoundTrips, {}};
}

BurstVerdict bySteadyRate(const BurstSigns& signs, double sureness) {
  if (isBucketWithoutQueue(signs) && roundTripStaysFlat(signs)) return {BurstCause::policer, sureness, {}};
  return unknown({BurstCause::queueOverflow, BurstCause::policer});
}

}  // namespace

std::string_view name(BurstCause cause) {
  switch (cause) {
    case BurstCause::unknown:
      return "unknown";
    case BurstCause::queueOverflow:
      return "queue_overflow";
    case BurstCause::random:
      return "random";
    case BurstCause::policer:
      return "policer";
    case BurstCause::reordering:
      return "reordering";
  }
  return "unknown";
}

std::optional<RiseBeforeLoss> riseBeforeLoss(const std::vector<LossEvent>& events,
                                             const std::optional<RoundTripSpread>& roundTrips) {
  if (!roundTrips) return std::nullopt;
  RiseBeforeLoss result;
  std::vector<Nanoseconds> rises;
  for (const LossEvent& event : events) {
    if (!event.roundTripBefore) continue;
    rises.push_back(*event.roundTripBefore - roundTrips->minimum);
    result.aboveMedian += *event.roundTripBefore > roundTrips->median ? 1U : 0U;
  }
  if (rises.empty()) return std::nullopt;
  result.events = rises.size();
  const auto middle = rises.begin() + static_cast<std::ptrdiff_t>(rises.size() / 2);
  std::nth_element(rises.begin(), middle, rises.end());
  result.rise = *middle;
  return result;
}

BurstVerdict burstVerdict(const BurstSigns& signs) {
  constexpr double kMost = 0.5;
  constexpr double kSome = 0.2;
  constexpr std::uint64_t kFewEvents = 5;
  constexpr double kMostSpansAtLeast = 0.5;
  const double reordered = lowerEnd(signs.spurious, signs.spurious + signs.losses);
  if (reordered >= kMost) return {BurstCause::reordering, reordered, {}};
  if (reordered >= kSome) return unknown({BurstCause::reordering});
  if (signs.events < kFewEvents) return unknown({});

  const double rises = surenessOfRise(signs);
  if (rises > 0.0) return overflowing(signs, rises);
  const double steady = signs.acceptedRate ? signs.acceptedRate->sureness() : 0.0;
  if (steady >= kMostSpansAtLeast) return bySteadyRate(signs, steady);
  if (looksRandom(signs)) return byChance(signs);
  // Bursts on a path that shows no queue: a radio link, or a policer that others feed, too.
  if (isClustered(signs) && roundTripStaysFlat(signs)) return unknown({BurstCause::policer, BurstCause::random});
  return unknown({});
}

}  // namespace tcpscope
