// How late packets left behind their moment: counts in classes of one microsecond, so that the quantiles of a billion
// packets take a few kilobytes.
#pragma once

#include <array>
#include <cstdint>

#include "core/base/units.h"

namespace tcpscope::lab {

class Lateness {
public:
  /// Too early is not possible and counts as in time.
  void add(Nanoseconds late);
  [[nodiscard]] Nanoseconds worst() const { return m_worst; }
  /// What `share` (0…1) of the packets did not exceed, rounded up to a microsecond; 0 without packets. Beyond the
  /// classes it is the worst.
  [[nodiscard]] Nanoseconds quantile(double share) const;

private:
  /// Longer than this is one class.
  static constexpr std::size_t kClasses = 20'000;

  std::array<std::uint64_t, kClasses> m_counts{};
  std::uint64_t m_packets = 0;
  Nanoseconds m_worst{0};
};

}  // namespace tcpscope::lab
