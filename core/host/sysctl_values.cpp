#include "core/host/sysctl_values.h"

#include <fmt/format.h>

#include <charconv>

namespace tcpscope {

namespace {

/// Exactly so many whole numbers between blanks.
template <std::size_t kCount>
std::optional<std::array<std::uint64_t, kCount>> numbersOf(std::string_view text) {
  std::array<std::uint64_t, kCount> numbers{};
  constexpr std::string_view kBetweenNumbers = " \t";
  for (std::uint64_t& number : numbers) {
    text.remove_prefix(std::min(text.find_first_not_of(kBetweenNumbers), text.size()));
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
  if (text.find_first_not_of(kBetweenNumbers) != std::string_view::npos) return std::nullopt;
  return numbers;
}

}  // namespace

void SysctlValues::set(std::string_view key, std::string_view value) {
  m_values.insert_or_assign(std::string(key), std::string(value));
}

std::optional<std::string_view> SysctlValues::text(std::string_view key) const {
  const auto found = m_values.find(key);
  if (found == m_values.end()) return std::nullopt;
  return found->second;
}

std::optional<std::uint64_t> SysctlValues::number(std::string_view key) const {
  const auto value = text(key);
  if (!value) return std::nullopt;
  const auto numbers = numbersOf<1>(*value);
  if (!numbers) return std::nullopt;
  return numbers->front();
}

std::optional<std::array<std::uint64_t, 3>> SysctlValues::three(std::string_view key) const {
  const auto value = text(key);
  if (!value) return std::nullopt;
  return numbersOf<3>(*value);
}

std::string sysctlText(const std::array<std::uint64_t, 3>& values) {
  return fmt::format("{} {} {}", values[0], values[1], values[2]);
}

namespace {

constexpr std::string_view kLinkPrefix = "link.";

}  // namespace

std::string linkSettingKey(const LinkSetting& setting) {
  return fmt::format("{}{}.{}", kLinkPrefix, setting.interface, setting.what);
}

std::optional<LinkSetting> readLinkSettingKey(std::string_view key) {
  if (!key.starts_with(kLinkPrefix)) return std::nullopt;
  key.remove_prefix(kLinkPrefix.size());
  const std::size_t dot = key.rfind('.');
  if (dot == 0 || dot == std::string_view::npos) return std::nullopt;
  return LinkSetting{key.substr(0, dot), key.substr(dot + 1)};
}

}  // namespace tcpscope
