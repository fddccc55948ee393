#include <fmt/format.h>

#include <array>
#include <cmath>

#include "core/present/text/sentences.h"

namespace tcpscope {

namespace {

/// Three digits that mean something: 1.23, 12.3, 123.
std::string threeDigits(double value) {
  const double size = std::fabs(value);
  if (size < 9.995) return fmt::format("{:.2f}", value);
  if (size < 99.95) return fmt::format("{:.1f}", value);
  return fmt::format("{:.0f}", value);
}

/// Steps up through `units`, each `step` times the one before, while the value would print as a whole step or more.
template <std::size_t count>
std::string scaled(double value, double step, const std::array<std::string_view, count>& units) {
  std::size_t index = 0;
  double shown = value;
  while (index + 1 < count && std::fabs(shown) >= step - 0.5) {
    shown /= step;
    ++index;
  }
  if (index == 0) return fmt::format("{:.0f} {}", shown, units[0]);
  return fmt::format("{} {}", threeDigits(shown), units[index]);
}

constexpr std::string_view kNotKnown = "not known";

}  // namespace

std::string formatRate(BitsPerSecond rate) {
  if (rate.isUnlimited()) return "unlimited";
  if (!std::isfinite(rate.value())) return std::string(kNotKnown);
  static constexpr std::array<std::string_view, 5> kUnits = {"bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"};
  return scaled(rate.value(), 1000.0, kUnits);
}

std::string formatBytes(double bytes) {
  if (!std::isfinite(bytes)) return std::string(kNotKnown);
  static constexpr std::array<std::string_view, 6> kUnits = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  return scaled(bytes, 1024.0, kUnits);
}

std::string formatTime(double seconds) {
  if (!std::isfinite(seconds)) return std::string(kNotKnown);
  const double size = std::fabs(seconds);
  if (size < 0.5e-9) return "0 s";
  if (size < 0.9995e-6) return fmt::format("{:.0f} ns", seconds * 1e9);
  if (size < 0.9995e-3) return fmt::format("{} µs", threeDigits(seconds * 1e6));
  if (size < 0.9995) return fmt::format("{} ms", threeDigits(seconds * 1e3));
  if (size < 59.995) return fmt::format("{} s", threeDigits(seconds));
  const auto whole = static_cast<long long>(std::llround(size));
  const std::string_view sign = seconds < 0.0 ? "-" : "";
  if (whole < 3600) return fmt::format("{}{} min {} s", sign, whole / 60, whole % 60);
  return fmt::format("{}{} h {} min", sign, whole / 3600, whole % 3600 / 60);
}

std::string formatRatio(double ratio) {
  if (!std::isfinite(ratio)) return std::string(kNotKnown);
  const double percent = ratio * 100.0;
  if (percent == 0.0) return "0 %";
  if (std::fabs(percent) < 0.095) return percent < 0.0 ? ">-0.1 %" : "<0.1 %";
  if (std::fabs(percent) >= 99.95) return fmt::format("{:.0f} %", percent);
  return fmt::format("{:.1f} %", percent);
}

}  // namespace tcpscope
