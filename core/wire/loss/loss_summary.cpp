#include "core/wire/loss/loss_summary.h"

#include <algorithm>

namespace tcpscope {

namespace {

LossSummary patternOf(std::span<const Loss> losses, std::optional<Nanoseconds> roundTrip) {
  LossSummary summary;
  summary.lostPackets = losses.size();
  if (!roundTrip || *roundTrip <= Nanoseconds(0)) return summary;
  summary.roundTrip = roundTrip;
  summary.events = lossEventsOf(losses, *roundTrip);
  summary.intervalsRtt = lossIntervalsOf(losses, *roundTrip);
  summary.withinHundredthRtt = ratioWithin(summary.intervalsRtt, kHundredthRtt);
  summary.withinRtt = ratioWithin(summary.intervalsRtt, kWholeRtt);
  if (const auto rate = lossesPerRoundTrip(summary.intervalsRtt)) {
    summary.poissonWithinHundredthRtt = poissonRatioWithin(*rate, kHundredthRtt);
    summary.poissonWithinRtt = poissonRatioWithin(*rate, kWholeRtt);
  }
  summary.density = intervalDensity(summary.intervalsRtt);
  return summary;
}

std::vector<std::uint64_t> positionsOf(std::span<const Loss> losses) {
  std::vector<std::uint64_t> positions;
  positions.reserve(losses.size());
  for (const Loss& loss : losses) positions.push_back(loss.position);
  return positions;
}

/// Where the lost packets are in the record; those that it left out are not among them.
std::vector<std::size_t> indicesOf(std::span<const Loss> losses, const SendingRecord& sent, std::size_t end) {
  std::vector<std::size_t> indices;
  for (const Loss& loss : losses) {
    const auto index = sent.indexOf(loss.position);
    if (index && *index < end) indices.push_back(*index);
  }
  return indices;
}

/// The record's packets before this position.
std::size_t packetsBefore(const SendingRecord& sent, std::uint64_t position) {
  while (position > 0) {
    if (const auto index = sent.indexOf(position - 1)) return *index + 1;
    --position;
  }
  return 0;
}

}  // namespace

LossSummary summarizeLosses(const LossRecord& record, std::optional<Nanoseconds> roundTrip,
                            std::optional<RoundTripSpread> spread) {
  const std::vector<Loss> losses = record.losses();
  LossSummary summary = patternOf(losses, roundTrip);
  summary.lostPackets = record.lostPackets();
  summary.model = fitBurstModel(positionsOf(losses), record.coveredPackets());

  BurstSigns signs;
  signs.losses = losses.size();
  signs.spurious = record.spuriousPackets();
  if (summary.roundTrip) {
    summary.eventRatio = lossEventRatio(summary.events.size(), record.coveredPackets());
    const SendingRecord& sent = record.sent();
    const std::size_t covered = packetsBefore(sent, record.coveredPackets());
    summary.randomDrop =
        testRandomDrop(sent.times().first(covered), indicesOf(losses, sent, covered), *summary.roundTrip);
    const auto stretch = sent.firstStretch().first(std::min(covered, sent.firstStretch().size()));
    signs.bucket = fitBucket(stretch, indicesOf(losses, sent, stretch.size()), *summary.roundTrip);
    signs.events = summary.events.size();
    signs.randomDrop = summary.randomDrop;
    signs.rise = riseBeforeLoss(summary.events, spread);
    signs.roundTrips = spread;
  }
  summary.verdict = burstVerdict(signs);
  return summary;
}

LossSummary summarizeDropLog(std::span<const Moment> drops, std::optional<Nanoseconds> roundTrip) {
  std::vector<Loss> losses;
  losses.reserve(drops.size());
  for (const Moment drop : drops) losses.push_back({drop, 0, std::nullopt});
  return patternOf(losses, roundTrip);
}

}  // namespace tcpscope
