// Numbers and texts as bytes, little-endian whatever the host: what payloads of frames are made of.
//
// A reader never goes over the end of its bytes: it then gives zeros and says failed(), which sticks.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/moment.h"

namespace tcpscope {

/// Moments further from zero are not of this world: with them, sums could overflow.
inline constexpr std::int64_t kMaxWireNanoseconds = std::int64_t{1} << 61;
/// Longer texts are cut by the writer and refused by the reader.
inline constexpr std::size_t kMaxWireText = 4096;

class WireWriter {
public:
  explicit WireWriter(std::vector<std::byte>& out) : m_out(out) {}

  template <class Unsigned>
  void number(Unsigned value) {
    static_assert(std::is_unsigned_v<Unsigned>);
    for (std::size_t i = 0; i < sizeof value; ++i) {
      m_out.push_back(static_cast<std::byte>(static_cast<std::uint64_t>(value) >> (8 * i)));
    }
  }
  void flag(bool value) { number<std::uint8_t>(value ? 1 : 0); }
  void real(double value) { number(std::bit_cast<std::uint64_t>(value)); }
  template <class Clock>
  void moment(TimePoint<Clock> value) {
    number(static_cast<std::uint64_t>(value.nanoseconds()));
  }
  /// Seven bits a byte, the lowest first (as in DWARF's ULEB128).
  void count(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) m_out.push_back(static_cast<std::byte>(value | 0x80));
    m_out.push_back(static_cast<std::byte>(value));
  }
  void bytes(std::span<const std::byte> value) { m_out.insert(m_out.end(), value.begin(), value.end()); }
  void text(std::string_view value) {
    value = value.substr(0, kMaxWireText);
    count(value.size());
    bytes(std::as_bytes(std::span(value.data(), value.size())));
  }

private:
  std::vector<std::byte>& m_out;
};

class WireReader {
public:
  explicit WireReader(std::span<const std::byte> bytes) : m_rest(bytes) {}

  [[nodiscard]] bool failed() const { return m_failed; }
  [[nodiscard]] bool atEnd() const { return m_rest.empty(); }
  [[nodiscard]] std::size_t left() const { return m_rest.size(); }

  std::span<const std::byte> bytes(std::size_t size) {
    if (size > m_rest.size()) {
      m_failed = true;
      m_rest = {};
      return {};
    }
    const std::span<const std::byte> taken = m_rest.first(size);
    m_rest = m_rest.subspan(size);
    return taken;
  }
  template <class Unsigned>
  Unsigned number() {
    std::uint64_t value = 0;
    std::size_t shift = 0;
    for (const std::byte octet : bytes(sizeof(Unsigned))) {
      value |= std::to_integer<std::uint64_t>(octet) << shift;
      shift += 8;
    }
    return static_cast<Unsigned>(value);
  }
  bool flag() { return number<std::uint8_t>() != 0; }
  double real() { return std::bit_cast<double>(number<std::uint64_t>()); }
  template <class Point>
  Point moment() {
    const auto value = static_cast<std::int64_t>(number<std::uint64_t>());
    if (value > kMaxWireNanoseconds || value < -kMaxWireNanoseconds) m_failed = true;
    return m_failed ? Point() : Point::fromNanoseconds(value);
  }
  std::uint64_t count() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto octet = number<std::uint8_t>();
      value |= static_cast<std::uint64_t>(octet & 0x7fU) << shift;
      if ((octet & 0x80U) == 0) return value;
    }
    m_failed = true;
    return 0;
  }
  /// A count of things that follow, each of at least `smallest` bytes: what cannot be there is a failure at once.
  std::uint64_t countOf(std::size_t smallest) {
    const std::uint64_t value = count();
    if (value > m_rest.size() / smallest) m_failed = true;
    return m_failed ? 0 : value;
  }
  std::string text() {
    const std::uint64_t size = count();
    if (size > kMaxWireText) m_failed = true;
    const std::span<const std::byte> value = bytes(m_failed ? 0 : static_cast<std::size_t>(size));
    return {reinterpret_cast<const char*>(value.data()), value.size()};
  }

private:
  std::span<const std::byte> m_rest;
  bool m_failed = false;
};

}  // namespace tcpscope
