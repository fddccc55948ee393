// Are the losses clustered more than chance would have it? The null hypothesis: the same number of losses drawn at
// random over the packets actually sent, each set of packets as likely as any other. A sender's own bursts are in it:
// where packets leave a hundred at a time, independent losses are close to each other, too.
//
// What chance would give is computed exactly (hypergeometric); how surely it is rejected comes from draws under the
// null hypothesis (Monte Carlo test, Barnard 1963), which holds at any number of losses and for any pattern of sending.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/base/moment.h"
#include "core/base/units.h"

namespace tcpscope {

/// Share of the intervals between losses that are not longer than a limit: what is, and what chance would give.
struct ShareAgainstChance {
  double observedRatio = 0.0;
  double expectedRatio = 0.0;
};

struct RandomDropTest {
  std::uint64_t packets = 0;
  std::uint64_t losses = 0;
  ShareAgainstChance withinHundredthRtt;
  ShareAgainstChance withinRtt;
  /// How often chance gives as many intervals within 0.01 or 1 RTT, for the more significant of the two and with the
  /// choice between them accounted for (Westfall and Young 1993). Small: the losses are clustered. Never below 1 /
  /// (draws + 1).
  double clusteredPValue = 1.0;
  /// How often chance spreads the losses as evenly over the packets: sum of the squared gaps, counted in packets
  /// (Greenwood 1946). Small: they come regularly, as at the top of each sawtooth.
  double regularPValue = 1.0;
  std::size_t draws = 0;

  /// How often chance spreads the losses as unevenly over the packets, whatever the RTT: the other tail of the same
  /// sum.
  [[nodiscard]] double unevenPValue() const { return 1.0 - regularPValue + 1.0 / static_cast<double>(draws + 1); }
  /// The smallest p-value that so many draws can show.
  [[nodiscard]] double leastPValue() const { return 1.0 / static_cast<double>(draws + 1); }
};

inline constexpr std::uint64_t kDrawSeed = 1;

/// `sent`: when each packet was sent, ascending, the lost ones included; `lost`: indices into it, ascending, each once.
/// Nothing for fewer than two losses, where nothing arrived, or without an RTT. 199 to 999 draws: fewer where
/// chance is likely anyway, and the more losses and packets there are; 10,000 of a million take some tenths of a
/// second.
std::optional<RandomDropTest> testRandomDrop(std::span<const Moment> sent, std::span<const std::size_t> lost,
                                             Nanoseconds rtt, std::uint64_t seed = kDrawSeed);

/// Share of the intervals that are not longer than `limit` where `losses` of the packets sent are drawn at random.
/// At least two losses, and more packets than losses.
double expectedRatioWithin(std::span<const Moment> sent, std::size_t losses, Nanoseconds limit);

}  // namespace tcpscope
