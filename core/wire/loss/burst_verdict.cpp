#include "core/wire/loss/burst_verdict.h"

#include <algorithm>
#include <cmath>

#include "core/base/proportion.h"

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

double ratioOf(Nanoseconds span, Nanoseconds other) {
  return toSeconds(span) / toSeconds(other);
}

/// Median before the losses over that of all: seen in some twenty transfers, 0.98 to 1.00 at a policer, 1.00 to 1.06
/// where chance drops, 1.18 to 1.25 at queues.
constexpr double kRises = 1.08;
constexpr double kStays = 1.05;

/// The RTT is not only above the median, as it is before every second packet, but nearly always and by much.
double surenessOfRise(const BurstSigns& signs) {
  constexpr double kNearlyAlways = 0.6;
  if (!signs.rise || !signs.roundTrips) return 0.0;
  const double sureness = lowerEnd(signs.rise->aboveMedian, signs.rise->events);
  const bool isLong = ratioOf(signs.rise->before, signs.roundTrips->median) >= kRises;
  return isLong && sureness >= kNearlyAlways ? sureness : 0.0;
}

bool roundTripStays(const BurstSigns& signs) {
  return signs.rise && signs.roundTrips && ratioOf(signs.rise->before, signs.roundTrips->median) < kStays;
}

/// A bucket explains the losses, and a queue of its depth would show in the RTT samples.
bool isBucketWithoutQueue(const BurstSigns& signs) {
  constexpr double kOfDepth = 1.0 / 3.0;
  return roundTripStays(signs) &&
         ratioOf(signs.rise->before - signs.roundTrips->minimum, signs.bucket->depth()) < kOfDepth;
}

BurstVerdict overflowing(const BurstSigns& signs, double sureness) {
  // RTT samples alone suffice, and so does a pattern that chance does not give.
  constexpr double kByRoundTripsOnly = 0.85;
  const double factor = isClustered(signs) || isRegular(signs) ? 1.0 : kByRoundTripsOnly;
  return {BurstCause::queueOverflow, sureness * factor, {}};
}

BurstVerdict byChance(const BurstSigns& signs) {
  // So few would look random whatever dropped them.
  constexpr std::uint64_t kEnoughEvents = 15;
  // Without RTT samples a queue that overflows now and then is not excluded.
  constexpr double kWithoutRoundTrips = 0.8;
  if (signs.events < kEnoughEvents) return unknown({BurstCause::random, BurstCause::queueOverflow});
  const double sureness = 1.0 - 1.0 / std::sqrt(static_cast<double>(signs.events));
  return {BurstCause::random, signs.rise ? sureness : sureness * kWithoutRoundTrips, {}};
}

BurstVerdict byBucket(const BurstSigns& signs, double sureness) {
  if (isBucketWithoutQueue(signs)) return {BurstCause::policer, sureness, {}};
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
  std::vector<Nanoseconds> before;
  for (const LossEvent& event : events) {
    if (!event.roundTripBefore) continue;
    before.push_back(*event.roundTripBefore);
    result.aboveMedian += *event.roundTripBefore > roundTrips->median ? 1U : 0U;
  }
  if (before.empty()) return std::nullopt;
  result.events = before.size();
  const auto middle = before.begin() + static_cast<std::ptrdiff_t>(before.size() / 2);
  std::nth_element(before.begin(), middle, before.end());
  result.before = *middle;
  return result;
}

BurstVerdict burstVerdict(const BurstSigns& signs) {
  constexpr double kMost = 0.5;
  constexpr double kSome = 0.2;
  constexpr std::uint64_t kFewEvents = 5;
  constexpr double kMostEvents = 0.5;
  const double reordered = lowerEnd(signs.spurious, signs.spurious + signs.losses);
  if (reordered >= kMost) return {BurstCause::reordering, reordered, {}};
  if (reordered >= kSome) return unknown({BurstCause::reordering});
  if (signs.events < kFewEvents) return unknown({});

  const double rises = surenessOfRise(signs);
  if (rises > 0.0) return overflowing(signs, rises);
  const double bucket = signs.bucket ? signs.bucket->sureness() : 0.0;
  if (bucket >= kMostEvents && !looksRandom(signs)) return byBucket(signs, bucket);
  if (looksRandom(signs)) return byChance(signs);
  // Bursts on a path that shows no queue: a radio link, or a policer that others feed, too.
  if (isClustered(signs) && roundTripStays(signs)) return unknown({BurstCause::policer, BurstCause::random});
  return unknown({});
}

}  // namespace tcpscope
