// The units of TCP: bytes, segments, plain counts and rates. Spans of time are std::chrono types; points in time are in
// moment.h.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>

#include "core/base/quantity.h"

namespace tcpscope {

using Bytes = Quantity<struct BytesUnit, std::uint64_t>;
using Segments = Quantity<struct SegmentsUnit, std::uint64_t>;
/// A bare count of events or objects.
using Count = Quantity<struct CountUnit, std::uint64_t>;

using Microseconds = std::chrono::microseconds;
using Milliseconds = std::chrono::milliseconds;
using Nanoseconds = std::chrono::nanoseconds;
inline constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;

inline constexpr double kBitsPerByte = 8.0;

/// A rate in bit/s. "Without limit" is a value of its own, as the kernel's ~0 of a pacing rate.
class BitsPerSecond {
public:
  constexpr BitsPerSecond() = default;
  constexpr explicit BitsPerSecond(double value) : m_value(value) {}
  static constexpr BitsPerSecond unlimited() { return BitsPerSecond(std::numeric_limits<double>::infinity()); }
  static constexpr BitsPerSecond fromBytesPerSecond(double bytes) { return BitsPerSecond(bytes * 8.0); }
  /// The rate of `amount` over `span`; `span` must be above zero.
  template <class Rep, class Period>
  static constexpr BitsPerSecond from(Bytes amount, std::chrono::duration<Rep, Period> span) {
    return BitsPerSecond(static_cast<double>(amount.value()) * 8.0 / std::chrono::duration<double>(span).count());
  }

  [[nodiscard]] constexpr double value() const { return m_value; }
  [[nodiscard]] constexpr bool isUnlimited() const { return m_value == std::numeric_limits<double>::infinity(); }

  constexpr auto operator<=>(const BitsPerSecond&) const = default;

private:
  double m_value = 0.0;
};

/// Seconds as a floating number, for arithmetic and for output.
template <class Rep, class Period>
constexpr double toSeconds(std::chrono::duration<Rep, Period> span) {
  return std::chrono::duration<double>(span).count();
}

/// The other way, to the whole nanosecond below: for spans that people give.
constexpr Nanoseconds nanosecondsOf(double seconds) {
  return std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(seconds));
}

}  // namespace tcpscope
