// Random numbers of one purpose, the same for the same seed on every machine and with every library: the distributions
// of the standard library are not.
//
// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
#pragma once

#include <cstdint>

#include "core/base/units.h"

namespace tcpscope {

class RandomStream {
public:
  /// Streams with different `purpose` have nothing to do with each other.
  RandomStream(std::uint64_t seed, std::uint64_t purpose) : m_state(seed) { m_state = next() ^ purpose * kGoldenGamma; }

  /// Evenly in [0, 1).
  double unit() { return static_cast<double>(next() >> 11U) * 0x1.0p-53; }
  bool happens(double probability) { return unit() < probability; }
  /// Evenly in [0, most].
  Nanoseconds upTo(Nanoseconds most) {
    return Nanoseconds(static_cast<Nanoseconds::rep>(unit() * static_cast<double>(most.count() + 1)));
  }
  /// Evenly in [0, end), which is not empty; even to one part in 2^53 / end.
  std::size_t below(std::size_t end) { return static_cast<std::size_t>(unit() * static_cast<double>(end)); }

private:
  static constexpr std::uint64_t kGoldenGamma = 0x9e3779b97f4a7c15U;

  std::uint64_t next() {
    m_state += kGoldenGamma;
    std::uint64_t mixed = m_state;
    mixed = (mixed ^ mixed >> 30U) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ mixed >> 27U) * 0x94d049bb133111ebU;
    return mixed ^ mixed >> 31U;
  }

  std::uint64_t m_state;
};

}  // namespace tcpscope
