// The names that settings of a host's interfaces have beside those of sysctl: "link.eth0.mtu".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tcpscope {

struct LinkSetting {
  std::string_view interface;
  /// "mtu", "speed", "duplex", "driver", "qdisc"
  std::string_view what;
};

std::string linkSettingKey(const LinkSetting& setting);
/// Nothing for another key. An interface's name may have dots itself.
std::optional<LinkSetting> readLinkSettingKey(std::string_view key);

}  // namespace tcpscope
