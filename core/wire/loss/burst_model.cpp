#include "core/wire/loss/burst_model.h"

#include <cmath>
#include <map>

#include "core/wire/loss/gap_mixture.h"

namespace tcpscope {

namespace {

/// Of a share of trials; half a success and half a failure are added, so that "always" is not taken for certain.
Estimate shareOf(double happened, double trials) {
  const double smoothed = (happened + 0.5) / (trials + 1.0);
  return {happened / trials, std::sqrt(smoothed * (1.0 - smoothed) / (trials + 1.0))};
}

Estimate inverseOf(const Estimate& estimate) {
  return {1.0 / estimate.value, estimate.standardError / (estimate.value * estimate.value)};
}

/// Everything is lost in the bad state, so that the states are seen, and each transition with them.
BurstModel fitVisibleStates(std::span<const std::uint64_t> positions, std::uint64_t packets) {
  double begins = 0.0;
  double ends = 0.0;
  double badPackets = 0.0;
  for (std::size_t index = 0; index < positions.size(); ++index) {
    if (index > 0 && positions[index] != positions[index - 1] + 1) begins += 1.0;
    if (positions[index] + 1 == packets) continue;
    badPackets += 1.0;
    if (index + 1 == positions.size() || positions[index + 1] != positions[index] + 1) ends += 1.0;
  }
  if (positions.front() > 0) begins += 1.0;
  const double goodPackets = static_cast<double>(packets - 1) - badPackets;
  BurstModel model;
  model.goodToBad = shareOf(begins, goodPackets);
  model.badToGood = shareOf(ends, badPackets);
  model.burstPackets = inverseOf(model.badToGood);
  return model;
}

GapCounts gapsOf(std::span<const std::uint64_t> positions) {
  std::map<std::uint64_t, double> counts;
  for (std::size_t index = 1; index < positions.size(); ++index) counts[positions[index] - positions[index - 1]] += 1.0;
  GapCounts gaps;
  for (const auto& [packets, count] : counts) gaps.push_back({static_cast<double>(packets), count});
  return gaps;
}

}  // namespace

std::optional<BurstModel> fitBurstModel(std::span<const std::uint64_t> positions, std::uint64_t packets) {
  if (positions.size() < kModelLosses || positions.size() >= packets) return std::nullopt;
  const BurstModel visible = fitVisibleStates(positions, packets);
  // Not even one visit with its beginning and its end.
  if (!(visible.badToGood.value > 0.0 && visible.goodToBad.value > 0.0)) return std::nullopt;
  const auto hidden = fitHiddenStates(gapsOf(positions));
  if (!hidden) return visible;
  BurstModel model;
  model.goodToBad = hidden->goodToBad;
  model.badToGood = hidden->badToGood;
  model.burstPackets = inverseOf(model.badToGood);
  model.lossInBad = hidden->lossInBad;
  return model;
}

}  // namespace tcpscope
