// Losses of which the truth is known: packets sent in a drawn pattern, lost by a drawn process.
#pragma once

#include <vector>

#include "core/base/random_stream.h"
#include "core/wire/loss/loss_record.h"

namespace tcpscope {

inline constexpr Nanoseconds kDrawnRtt = Milliseconds(100);

/// Windows of so many packets, one window per RTT, its packets `gap` apart.
inline std::vector<Moment> sentInWindows(std::size_t windows, std::size_t packets, Nanoseconds gap) {
  std::vector<Moment> sent;
  for (std::size_t window = 0; window < windows; ++window) {
    for (std::size_t packet = 0; packet < packets; ++packet) {
      sent.push_back(Moment() + kDrawnRtt * static_cast<int>(window) + gap * static_cast<int>(packet));
    }
  }
  return sent;
}

/// As an unpaced sender sends windows of a hundred packets: in the first tenth of the RTT.
inline std::vector<Moment> sentBackToBack(std::size_t windows) {
  return sentInWindows(windows, 100, kDrawnRtt / 1000);
}

/// A hundred packets per RTT, evenly spaced.
inline std::vector<Moment> sentPaced(std::size_t windows) {
  return sentInWindows(windows, 100, kDrawnRtt / 100);
}

using Positions = std::vector<std::size_t>;

/// Each packet on its own.
inline Positions lostByChance(std::size_t packets, double ratio, std::uint64_t seed) {
  RandomStream random(seed, 1);
  Positions lost;
  for (std::size_t packet = 0; packet < packets; ++packet) {
    if (random.happens(ratio)) lost.push_back(packet);
  }
  return lost;
}

struct TwoStates {
  double goodToBad = 0.001;
  double badToGood = 0.3;
  double lossInBad = 1.0;
};

inline Positions lostInBursts(std::size_t packets, const TwoStates& path, std::uint64_t seed) {
  RandomStream random(seed, 2);
  Positions lost;
  bool isBad = false;
  for (std::size_t packet = 0; packet < packets; ++packet) {
    isBad = random.happens(isBad ? 1.0 - path.badToGood : path.goodToBad);
    if (isBad && random.happens(path.lossInBad)) lost.push_back(packet);
  }
  return lost;
}

inline Positions lostEvery(std::size_t packets, std::size_t distance) {
  Positions lost;
  for (std::size_t packet = distance; packet < packets; packet += distance) lost.push_back(packet);
  return lost;
}

inline std::vector<Loss> lossesAt(const std::vector<Moment>& sent, const Positions& lost) {
  std::vector<Loss> losses;
  for (const std::size_t position : lost) losses.push_back({sent[position], position, std::nullopt});
  return losses;
}

inline LossRecord recordOf(const std::vector<Moment>& sent, const Positions& lost) {
  LossRecord record;
  for (const Moment time : sent) record.addSent(time);
  for (const Loss& loss : lossesAt(sent, lost)) record.addLoss(loss);
  return record;
}

}  // namespace tcpscope
