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

bool isClustered(const BurstEvidence& evidence) {
  return evidence.randomDrop && evidence.randomDrop->clusteredPValue <= kRejected;
}

bool isRegular(const BurstEvidence& evidence) {
  return evidence.randomDrop && evidence.randomDrop->regularPValue <= kRejected;
}

bool isRandom(const BurstEvidence& evidence) {
  return evidence.randomDrop && evidence.randomDrop->clusteredPValue > kDoubtful &&
         evidence.randomDrop->regularPValue > kDoubtful;
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
double surenessOfRise(const BurstEvidence& evidence) {
  constexpr double kNearlyAlways = 0.6;
  if (!evidence.rise || !evidence.rtts) return 0.0;
  const double sureness = lowerEnd(evidence.rise->aboveMedian, evidence.rise->events);
  const bool isLong = ratioOf(evidence.rise->before, evidence.rtts->median) >= kRises;
  return isLong && sureness >= kNearlyAlways ? sureness : 0.0;
}

bool rttStays(const BurstEvidence& evidence) {
  return evidence.rise && evidence.rtts && ratioOf(evidence.rise->before, evidence.rtts->median) < kStays;
}

/// A bucket explains the losses, and a queue of its depth would show in the RTT samples.
bool isBucketWithoutQueue(const BurstEvidence& evidence) {
  constexpr double kOfDepth = 1.0 / 3.0;
  return rttStays(evidence) &&
         ratioOf(evidence.rise->before - evidence.rtts->minimum, evidence.bucket->depth()) < kOfDepth;
}

BurstVerdict overflowing(const BurstEvidence& evidence, double sureness) {
  // RTT samples alone suffice, and so does a pattern that chance does not give.
  constexpr double kByRttsOnly = 0.85;
  const double factor = isClustered(evidence) || isRegular(evidence) ? 1.0 : kByRttsOnly;
  return {BurstCause::queueOverflow, sureness * factor, {}};
}

BurstVerdict byChance(const BurstEvidence& evidence) {
  // So few would look random whatever dropped them.
  constexpr std::uint64_t kEnoughEvents = 15;
  // Without RTT samples a queue that overflows now and then is not excluded.
  constexpr double kWithoutRtts = 0.8;
  if (evidence.events < kEnoughEvents) return unknown({BurstCause::random, BurstCause::queueOverflow});
  const double sureness = 1.0 - 1.0 / std::sqrt(static_cast<double>(evidence.events));
  return {BurstCause::random, evidence.rise ? sureness : sureness * kWithoutRtts, {}};
}

/// Nothing where a bucket may change it.
std::optional<BurstVerdict> withoutBucket(const BurstEvidence& evidence) {
  constexpr double kMost = 0.5;
  constexpr double kSome = 0.2;
  constexpr std::uint64_t kFewEvents = 5;
  const double reordered = lowerEnd(evidence.spurious, evidence.spurious + evidence.losses);
  if (reordered >= kMost) return BurstVerdict{BurstCause::reordering, reordered, {}};
  if (reordered >= kSome) return unknown({BurstCause::reordering});
  if (evidence.events < kFewEvents) return unknown({});
  const double rises = surenessOfRise(evidence);
  if (rises > 0.0) return overflowing(evidence, rises);
  if (isRandom(evidence)) return byChance(evidence);
  return std::nullopt;
}

BurstVerdict byBucket(const BurstEvidence& evidence, double sureness) {
  if (isBucketWithoutQueue(evidence)) return {BurstCause::policer, sureness, {}};
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
                                             const std::optional<RttSpread>& rtts) {
  if (!rtts) return std::nullopt;
  RiseBeforeLoss result;
  std::vector<Nanoseconds> before;
  for (const LossEvent& event : events) {
    if (!event.rttBefore) continue;
    before.push_back(*event.rttBefore);
    result.aboveMedian += *event.rttBefore > rtts->median ? 1U : 0U;
  }
  if (before.empty()) return std::nullopt;
  result.events = before.size();
  const auto middle = before.begin() + static_cast<std::ptrdiff_t>(before.size() / 2);
  std::nth_element(before.begin(), middle, before.end());
  result.before = *middle;
  return result;
}

bool asksForBucket(const BurstEvidence& evidence) {
  return !withoutBucket(evidence).has_value();
}

BurstVerdict burstVerdict(const BurstEvidence& evidence) {
  if (auto verdict = withoutBucket(evidence)) return *std::move(verdict);
  constexpr double kMostEvents = 0.5;
  const double bucket = evidence.bucket ? evidence.bucket->sureness() : 0.0;
  if (bucket >= kMostEvents) return byBucket(evidence, bucket);
  // Bursts on a path that shows no queue: a radio link, or a policer that others feed, too.
  if (isClustered(evidence) && rttStays(evidence)) return unknown({BurstCause::policer, BurstCause::random});
  return unknown({});
}

}  // namespace tcpscope
