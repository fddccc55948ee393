// Numbers as `ss` writes them. Nothing for a text that is not wholly one, or is too large.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tcpscope {

inline std::optional<std::uint64_t> wholeNumber(std::string_view text, int base = 10) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [behind, error] = std::from_chars(text.data(), end, value, base);
  return error == std::errc() && behind == end ? std::optional(value) : std::nullopt;
}

/// Milliseconds in the form of printf's %g, as microseconds.
inline std::optional<std::uint64_t> microsecondsOf(std::string_view milliseconds) {
  constexpr double kLargest = 4294967.0;
  double value = 0.0;
  const char* const end = milliseconds.data() + milliseconds.size();
  const auto [behind, error] = std::from_chars(milliseconds.data(), end, value);
  if (error != std::errc() || behind != end || !(value >= 0.0) || value > kLargest) return std::nullopt;
  return static_cast<std::uint64_t>(std::llround(value * 1000.0));
}

/// "8000bps" as 1000. Nothing for one with a prefix of the unit: it was rounded to three digits.
inline std::optional<std::uint64_t> bytesPerSecondOf(std::string_view text) {
  constexpr std::string_view kUnit = "bps";
  if (!text.ends_with(kUnit)) return std::nullopt;
  const auto bits = wholeNumber(text.substr(0, text.size() - kUnit.size()));
  return bits ? std::optional(*bits / 8) : std::nullopt;
}

}  // namespace tcpscope
