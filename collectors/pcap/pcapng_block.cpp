#include "collectors/pcap/pcapng_block.h"

#include <limits>

#include "core/base/units.h"

namespace tcpscope {

namespace {

constexpr std::uint64_t kPerSecond = kNanosecondsPerSecond;
/// Beyond this, differences of two times could overflow: 146 years.
constexpr std::int64_t kLatestNanoseconds = std::int64_t{1} << 62;

/// A number of seconds and what is left of one.
struct SplitTime {
  std::uint64_t seconds = 0;
  std::uint64_t nanoseconds = 0;
};

SplitTime splitDecimal(std::uint64_t units, unsigned power) {
  std::uint64_t unitsPerSecond = 1;
  for (unsigned i = 0; i < power; ++i) {
    if (unitsPerSecond > std::numeric_limits<std::uint64_t>::max() / 10) return {};  // less than a second in all
    unitsPerSecond *= 10;
  }
  const std::uint64_t rest = units % unitsPerSecond;
  // Up to nanoseconds the product is exact and small; finer units are divided.
  const std::uint64_t part =
      unitsPerSecond <= kPerSecond ? rest * (kPerSecond / unitsPerSecond) : rest / (unitsPerSecond / kPerSecond);
  return {units / unitsPerSecond, part};
}

SplitTime splitBinary(std::uint64_t units, unsigned power) {
  constexpr unsigned kEnough = 34;
  if (power > 63) return {};
  const std::uint64_t rest = units & ((std::uint64_t{1} << power) - 1);
  // 34 bits of a second are less than a tenth of a nanosecond, and the product of them still fits.
  const unsigned dropped = power > kEnough ? power - kEnough : 0;
  return {units >> power, ((rest >> dropped) * kPerSecond) >> (power - dropped)};
}

}  // namespace

std::optional<SectionBytes> findOption(SectionBytes options, std::uint16_t code, std::size_t size) {
  constexpr std::size_t kHeader = 4;
  while (options.size() >= kHeader) {
    const std::uint16_t found = options.u16(0);
    const std::size_t length = options.u16(2);
    if (found == 0 || length > options.size() - kHeader) return std::nullopt;
    if (found == code) return length >= size ? std::optional(options.from(kHeader).first(length)) : std::nullopt;
    options = options.from(kHeader + (length + 3) / 4 * 4);
  }
  return std::nullopt;
}

std::optional<WallTime> interfaceTime(std::uint64_t units, InterfaceClock clock) {
  const unsigned power = clock.resolution & 0x7fU;
  const bool isBinary = (clock.resolution & 0x80U) != 0;
  const SplitTime split = isBinary ? splitBinary(units, power) : splitDecimal(units, power);
  std::int64_t seconds = 0;
  std::int64_t nanoseconds = 0;
  if (split.seconds > static_cast<std::uint64_t>(kLatestNanoseconds) ||
      __builtin_add_overflow(static_cast<std::int64_t>(split.seconds), clock.offsetSeconds, &seconds) ||
      __builtin_mul_overflow(seconds, kNanosecondsPerSecond, &nanoseconds) ||
      __builtin_add_overflow(nanoseconds, static_cast<std::int64_t>(split.nanoseconds), &nanoseconds)) {
    return std::nullopt;
  }
  if (nanoseconds >= kLatestNanoseconds || nanoseconds <= -kLatestNanoseconds) return std::nullopt;
  return WallTime::fromNanoseconds(nanoseconds);
}

}  // namespace tcpscope
