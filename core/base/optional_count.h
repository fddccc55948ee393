// A count or nothing in the space of the count: the largest number stands for nothing. std::optional takes twice as
// much, which matters where a hundred thousand connections have twenty of them each.
#pragma once

#include <compare>
#include <concepts>
#include <limits>
#include <optional>

namespace tcpscope {

/// Compares as std::optional does: nothing is less than any count.
template <std::unsigned_integral Number>
class OptionalCount {
public:
  constexpr OptionalCount() = default;
  constexpr OptionalCount(std::nullopt_t /*none*/) {}
  constexpr OptionalCount(Number count) : m_count(count) {}

  constexpr explicit operator bool() const { return m_count != kNone; }
  /// It must not be nothing.
  constexpr Number operator*() const { return m_count; }
  // NOLINTNEXTLINE(readability-identifier-naming): as of std::optional
  [[nodiscard]] constexpr Number value_or(Number other) const { return *this ? m_count : other; }
  constexpr operator std::optional<Number>() const { return *this ? std::optional(m_count) : std::nullopt; }

  /// From nothing to the part.
  constexpr void add(Number part) { m_count = value_or(0) + part; }

  friend constexpr bool operator==(OptionalCount a, OptionalCount b) = default;
  // The number after nothing is 0.
  friend constexpr std::strong_ordering operator<=>(OptionalCount a, OptionalCount b) {
    return static_cast<Number>(a.m_count + 1) <=> static_cast<Number>(b.m_count + 1);
  }

private:
  static constexpr Number kNone = std::numeric_limits<Number>::max();

  Number m_count = kNone;
};

}  // namespace tcpscope
