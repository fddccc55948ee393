#include "core/host/link_setting.h"

#include <fmt/format.h>

namespace tcpscope {

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
