// All results about a direction's losses, or of a drop log: what the JSON object `loss` and the loss-burst
// view show.
//
// Absent means not known: without an RTT there are no events and no intervals; without the packets sent, as in a
// drop log, there is no ratio, no chance to hold the losses against, no model and no cause.
#pragma once

#include "core/wire/loss/burst_model.h"
#include "core/wire/loss/burst_verdict.h"
#include "core/wire/loss/loss_intervals.h"
#include "core/wire/loss/loss_record.h"

namespace tcpscope {

struct LossSummary {
  std::uint64_t lostPackets = 0;
  std::optional<Nanoseconds> rtt;
  std::vector<LossEvent> events;
  std::optional<LossEventRatio> eventRatio;

  /// When the lost packets were sent, in a drop log when they were dropped; ascending, those that were kept.
  std::vector<Moment> lossTimes;
  /// In RTTs, in their order: from each of lossTimes to the next.
  std::vector<double> intervalsRtt;
  std::optional<double> withinHundredthRtt;
  std::optional<double> withinRtt;
  std::optional<double> poissonWithinHundredthRtt;
  std::optional<double> poissonWithinRtt;
  IntervalDensity density;

  std::optional<RandomDropTest> randomDrop;
  std::optional<BurstModel> model;
  BurstVerdict verdict;
};

/// Of a direction of a connection. `rtt`: the path's, as its median; `spread` for the verdict.
LossSummary summarizeLosses(const LossRecord& record, std::optional<Nanoseconds> rtt, std::optional<RttSpread> spread);

/// Of packets sent for their own sake, without a connection: when each was sent, ascending, and the indices of those
/// that did not arrive. No cause.
LossSummary summarizeProbe(std::span<const Moment> sent, std::span<const std::size_t> lost,
                           std::optional<Nanoseconds> rtt);

/// Of a drop log: when packets were dropped, ascending.
LossSummary summarizeDropLog(std::span<const Moment> drops, std::optional<Nanoseconds> rtt);

}  // namespace tcpscope
