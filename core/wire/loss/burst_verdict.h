// What dropped the packets: a queue that overflowed, chance on the way, a policer; or nothing, and they only came late.
//
// From the pattern of the losses against chance, from the RTT before them, and from whether a steady rate was
// let through. A wrong answer is worse than none: where the signs do not decide, the cause is unknown and the
// candidates are named.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "core/wire/loss/bucket_fit.h"
#include "core/wire/loss/loss_events.h"
#include "core/wire/loss/random_drop_test.h"

namespace tcpscope {

enum class BurstCause : std::uint8_t { unknown, queueOverflow, random, policer, reordering };
inline constexpr std::array kBurstCauses = {BurstCause::unknown, BurstCause::queueOverflow, BurstCause::random,
                                            BurstCause::policer, BurstCause::reordering};

/// The word of the documents: "queue_overflow".
std::string_view name(BurstCause cause);

/// Of the RTT samples that were measured over the whole time of the losses.
struct RttSpread {
  Nanoseconds minimum{0};
  Nanoseconds median{0};
};

/// RTT samples before loss events compared with all others.
struct RiseBeforeLoss {
  /// Loss events for which the RTT before is known, and those where it was longer than the median.
  std::uint64_t events = 0;
  std::uint64_t aboveMedian = 0;
  /// Median of those before an event.
  Nanoseconds before{0};
};

std::optional<RiseBeforeLoss> riseBeforeLoss(const std::vector<LossEvent>& events,
                                             const std::optional<RttSpread>& rtts);

struct BurstEvidence {
  std::uint64_t losses = 0;
  std::uint64_t events = 0;
  /// Retransmitted packets that had arrived (reported by DSACK, or seen twice); not among the losses.
  std::uint64_t spurious = 0;
  std::optional<RandomDropTest> randomDrop;
  std::optional<BucketFit> bucket;
  std::optional<RiseBeforeLoss> rise;
  std::optional<RttSpread> rtts;
};

struct BurstVerdict {
  BurstCause cause = BurstCause::unknown;
  /// 0 for unknown. At least 0.8 is confident.
  double confidenceRatio = 0.0;
  /// Where unknown: what it may be; empty where everything may.
  std::vector<BurstCause> candidates;
};

/// Does the verdict depend on the bucket, which takes longer to find than all other evidence?
bool asksForBucket(const BurstEvidence& evidence);

BurstVerdict burstVerdict(const BurstEvidence& evidence);

}  // namespace tcpscope
