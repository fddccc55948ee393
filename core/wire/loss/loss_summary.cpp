#include "core/wire/loss/loss_summary.h"

#include <algorithm>

namespace tcpscope {

namespace {

LossSummary patternOf(std::span<const Loss> losses, std::optional<Nanoseconds> rtt) {
  LossSummary summary;
  summary.lostPackets = losses.size();
  summary.lossTimes.reserve(losses.size());
  for (const Loss& loss : losses) summary.lossTimes.push_back(loss.time);
  if (!rtt || *rtt <= Nanoseconds(0)) return summary;
  summary.rtt = rtt;
  summary.events = lossEventsOf(losses, *rtt);
  summary.intervalsRtt = lossIntervalsOf(losses, *rtt);
  summary.withinHundredthRtt = ratioWithin(summary.intervalsRtt, kHundredthRtt);
  summary.withinRtt = ratioWithin(summary.intervalsRtt, kWholeRtt);
  if (const auto rate = lossesPerRtt(summary.intervalsRtt)) {
    summary.poissonWithinHundredthRtt = poissonRatioWithin(*rate, kHundredthRtt);
    summary.poissonWithinRtt = poissonRatioWithin(*rate, kWholeRtt);
  }
  if (!summary.intervalsRtt.empty()) summary.density = intervalDensity(summary.intervalsRtt);
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

LossSummary summarizeLosses(const LossRecord& record, std::optional<Nanoseconds> rtt, std::optional<RttSpread> spread) {
  const std::vector<Loss> losses = record.losses();
  LossSummary summary = patternOf(losses, rtt);
  summary.lostPackets = record.lostPackets();
  summary.model = fitBurstModel(positionsOf(losses), record.coveredPackets());

  BurstEvidence evidence;
  evidence.losses = losses.size();
  evidence.spurious = record.spuriousPackets();
  if (summary.rtt) {
    summary.eventRatio = lossEventRatio(summary.events.size(), record.coveredPackets());
    const SendingRecord& sent = record.sent();
    const std::size_t covered = packetsBefore(sent, record.coveredPackets());
    summary.randomDrop = testRandomDrop(sent.times().first(covered), indicesOf(losses, sent, covered), *summary.rtt);
    evidence.events = summary.events.size();
    evidence.randomDrop = summary.randomDrop;
    evidence.rise = riseBeforeLoss(summary.events, spread);
    evidence.rtts = spread;
    if (asksForBucket(evidence)) {
      const auto stretch = sent.firstStretch().first(std::min(covered, sent.firstStretch().size()));
      evidence.bucket = fitBucket(stretch, indicesOf(losses, sent, stretch.size()), *summary.rtt);
    }
  }
  summary.verdict = burstVerdict(evidence);
  return summary;
}

LossSummary summarizeProbe(std::span<const Moment> sent, std::span<const std::size_t> lost,
                           std::optional<Nanoseconds> rtt) {
  std::vector<Loss> losses;
  losses.reserve(lost.size());
  for (const std::size_t packet : lost) losses.push_back({sent[packet], packet, std::nullopt});
  LossSummary summary = patternOf(losses, rtt);
  summary.model = fitBurstModel(positionsOf(losses), sent.size());
  if (!summary.rtt) return summary;
  summary.eventRatio = lossEventRatio(summary.events.size(), sent.size());
  summary.randomDrop = testRandomDrop(sent, lost, *summary.rtt);
  return summary;
}

LossSummary summarizeDropLog(std::span<const Moment> drops, std::optional<Nanoseconds> rtt) {
  std::vector<Loss> losses;
  losses.reserve(drops.size());
  for (const Moment drop : drops) losses.push_back({drop, 0, std::nullopt});
  return patternOf(losses, rtt);
}

}  // namespace tcpscope
