#include "app/lab/scenario/scenario_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <span>

namespace tcpscope::lab {

namespace {

constexpr std::string_view kBlanks = " \t\r";

struct Unit {
  std::string_view name;
  double factor;
};

// The largest first: the writer takes the first that leaves a short number.
constexpr Unit kRateUnits[] = {{"Gbit/s", 1e9}, {"Mbit/s", 1e6}, {"kbit/s", 1e3}, {"bit/s", 1.0}};
constexpr Unit kTimeUnits[] = {{"h", 3.6e12}, {"min", 6e10}, {"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1.0}};
constexpr Unit kSizeUnits[] = {{"GB", 1e9}, {"MiB", 1048576.0}, {"MB", 1e6}, {"KiB", 1024.0}, {"kB", 1e3}, {"B", 1.0}};
constexpr Unit kShareUnits[] = {{"%", 0.01}, {"", 1.0}};

/// A number without exponent, and the unit behind it.
std::optional<double> readWithUnit(std::string_view text, std::span<const Unit> units) {
  const std::string_view whole = trimmed(text);
  double number = 0.0;
  const char* const last = whole.data() + whole.size();
  const auto [end, error] = std::from_chars(whole.data(), last, number, std::chars_format::fixed);
  if (error != std::errc() || !std::isfinite(number) || std::signbit(number)) return std::nullopt;
  const std::string_view unit = trimmed({end, static_cast<std::size_t>(last - end)});
  const auto row = std::find_if(units.begin(), units.end(), [&](const Unit& one) { return one.name == unit; });
  if (row == units.end()) return std::nullopt;
  return number * row->factor;
}

/// A whole multiple of the largest unit that allows it. The number is whole, and below 2^53.
std::string wholeWithUnit(double number, std::span<const Unit> units) {
  for (const Unit& unit : units) {
    if (number >= unit.factor && std::fmod(number, unit.factor) == 0.0)
      return fmt::format("{:.0f} {}", number / unit.factor, unit.name);
  }
  return fmt::format("{:.0f} {}", number, units.back().name);
}

std::optional<std::uint64_t> wholeWithin(std::optional<double> value, double largest) {
  if (!value || *value > largest) return std::nullopt;
  return static_cast<std::uint64_t>(std::llround(*value));
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::vector<std::string> listParts(std::string_view text) {
  std::vector<std::string> parts;
  std::string_view rest = trimmed(text);
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    parts.emplace_back(trimmed(rest.substr(0, comma)));
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
    if (trimmed(rest).empty()) parts.emplace_back();
  }
  return parts;
}

std::string listText(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::optional<BitsPerSecond> readRate(std::string_view text) {
  constexpr double kSlowest = 1e3;
  constexpr double kFastest = 100e9;
  const auto value = wholeWithin(readWithUnit(text, kRateUnits), kFastest);
  if (!value || static_cast<double>(*value) < kSlowest) return std::nullopt;
  return BitsPerSecond(static_cast<double>(*value));
}

std::string rateText(BitsPerSecond rate) {
  return wholeWithUnit(std::round(rate.value()), kRateUnits);
}

std::optional<Nanoseconds> readTime(std::string_view text) {
  constexpr double kLongest = 3.6e12;
  const auto value = wholeWithin(readWithUnit(text, kTimeUnits), kLongest);
  if (!value) return std::nullopt;
  return Nanoseconds(static_cast<std::int64_t>(*value));
}

std::string timeText(Nanoseconds time) {
  return wholeWithUnit(static_cast<double>(std::max<std::int64_t>(time.count(), 0)), kTimeUnits);
}

std::optional<Bytes> readSize(std::string_view text) {
  constexpr double kLargest = 4e9;
  const auto value = wholeWithin(readWithUnit(text, kSizeUnits), kLargest);
  if (!value) return std::nullopt;
  return Bytes(*value);
}

std::string sizeText(Bytes size) {
  return wholeWithUnit(static_cast<double>(size.value()), kSizeUnits);
}

std::optional<double> readShare(std::string_view text) {
  const auto value = readWithUnit(text, kShareUnits);
  if (!value || *value > 1.0) return std::nullopt;
  return value;
}

std::string shareText(double share) {
  // Fixed, because values have no exponent; trailing zeros say nothing.
  std::string text = fmt::format("{:.12f}", share);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::optional<std::uint64_t> readCount(std::string_view text) {
  constexpr std::uint64_t kLargest = 1'000'000;
  const std::string_view whole = trimmed(text);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(whole.data(), whole.data() + whole.size(), number);
  if (error != std::errc() || end != whole.data() + whole.size() || number > kLargest) return std::nullopt;
  return number;
}

std::optional<bool> readChoice(std::string_view text) {
  const std::string_view word = trimmed(text);
  if (word == "yes") return true;
  if (word == "no") return false;
  return std::nullopt;
}

std::string choiceText(bool choice) {
  return choice ? "yes" : "no";
}

bool isName(std::string_view text) {
  constexpr std::size_t kLongest = 32;
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-'; };
  return !text.empty() && text.size() <= kLongest && std::all_of(text.begin(), text.end(), fits);
}

}  // namespace tcpscope::lab
