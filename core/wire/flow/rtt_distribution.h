// RTT samples of one direction, however many: count, minimum, maximum and quantiles in bounded memory.
//
// The first 64 samples are kept, so that their quantiles are exact. Beyond that they are counted in cells that are
// a sixteenth of an octave wide: a quantile is then at most 3.2 % off, below a microsecond at most 1 µs.
#pragma once

#include <optional>
#include <vector>

#include "core/base/units.h"

namespace tcpscope {

class RttDistribution {
public:
  void add(Nanoseconds sample);

  [[nodiscard]] std::uint64_t count() const { return m_count; }
  /// Nothing without samples.
  [[nodiscard]] std::optional<Nanoseconds> min() const;
  [[nodiscard]] std::optional<Nanoseconds> max() const;
  /// `share` of the samples are at most this, 0 to 1; between two samples in proportion.
  [[nodiscard]] std::optional<Nanoseconds> quantile(double share) const;
  [[nodiscard]] std::size_t residentBytes() const { return m_cells.capacity() * sizeof(std::uint64_t); }

private:
  void beginCounting();
  /// `position`: among the samples in order, from 0.
  [[nodiscard]] Nanoseconds exactQuantile(double position) const;
  [[nodiscard]] Nanoseconds countedQuantile(double position) const;

  std::uint64_t m_count = 0;
  Nanoseconds m_min{0};
  Nanoseconds m_max{0};
  /// The samples while they are few, then how many fell into each cell.
  std::vector<std::uint64_t> m_cells;
};

}  // namespace tcpscope
