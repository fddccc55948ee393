// The settings of a place, as text by their sysctl names, and their numbers; those of its interfaces have names beside
// them.
//
// Values only; their source (collectors/host, a recording) may not have all: absent means unknown. Text
// that does not read as the numbers that a key has counts as not known, too.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace tcpscope {

class SysctlValues {
public:
  void set(std::string_view key, std::string_view value);
  [[nodiscard]] bool empty() const { return m_values.empty(); }
  [[nodiscard]] const std::map<std::string, std::string, std::less<>>& all() const { return m_values; }
  [[nodiscard]] std::optional<std::string_view> text(std::string_view key) const;
  [[nodiscard]] std::optional<std::uint64_t> number(std::string_view key) const;
  /// Least, start and most, of keys such as net.ipv4.tcp_rmem.
  [[nodiscard]] std::optional<std::array<std::uint64_t, 3>> three(std::string_view key) const;

private:
  std::map<std::string, std::string, std::less<>> m_values;
};

/// "4096 131072 6291456"
std::string sysctlText(const std::array<std::uint64_t, 3>& values);

/// The names of interfaces' settings: "link.eth0.mtu".
struct LinkSetting {
  std::string_view interface;
  /// "mtu", "speed", "duplex", "driver", "qdisc"
  std::string_view what;
};

std::string linkSettingKey(const LinkSetting& setting);
/// Nothing for another key. An interface's name may have dots itself.
std::optional<LinkSetting> readLinkSettingKey(std::string_view key);

}  // namespace tcpscope
