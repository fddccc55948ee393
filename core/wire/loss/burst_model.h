// A path in two states, fitted to the losses: in the good one nothing is lost, in the bad one packets are lost with
// some probability (Gilbert, "Capacity of a burst-noise channel", 1960). The chain moves before each packet.
//
// Losses then renew the process: the gaps between them, in packets, are independent and follow a mixture of two
// geometric distributions. Most likely parameters by expectation maximisation over the gaps; the model that loses
// everything in the bad state is kept unless the gaps say clearly that it is too simple.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace tcpscope {

/// A parameter and its standard error.
struct Estimate {
  double value = 0.0;
  double standardError = 0.0;
};

struct BurstModel {
  /// Probabilities a packet.
  Estimate goodToBad;
  Estimate badToGood;
  /// Packets that a visit to the bad state lasts: 1 / badToGood.
  Estimate burstPackets;
  /// Nothing where all packets are lost in the bad state.
  std::optional<Estimate> lossInBad;
};

/// Fewer losses say too little.
inline constexpr std::size_t kModelLosses = 20;

/// `positions` of the lost among all packets, ascending, each once and below `packets`. Nothing for too few losses, and
/// where nothing arrived.
std::optional<BurstModel> fitBurstModel(std::span<const std::uint64_t> positions, std::uint64_t packets);

}  // namespace tcpscope
