// What may be handed to ssh as the host: what a person types, and nothing that ssh would take for an option or a shell
// for a command.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/host/place.h"

namespace tcpscope {

struct SshAddress {
  /// Empty where ssh is to choose, as its configuration says.
  std::string user;
  /// A name, one of ~/.ssh/config, or an address; without brackets.
  std::string host;
  /// Digits; empty where ssh is to choose.
  std::string port;
  /// Of that host, as ip-netns(8) calls it, or "all" for that of a login and every further one. Empty for the one that
  /// a login is in.
  std::string networkNamespace{};

  [[nodiscard]] bool isOfEveryNamespace() const { return networkNamespace == "all"; }
  /// Programs are to be run in that one.
  [[nodiscard]] bool entersNamespace() const { return !networkNamespace.empty() && !isOfEveryNamespace(); }

  bool operator==(const SshAddress&) const = default;
};

/// HOST, USER@HOST, HOST:PORT, [ADDRESS]:PORT or an IPv6 address as it is, "/NAMESPACE" behind it where another than
/// the login's is meant, at most 255 bytes; nothing for other text.
std::optional<SshAddress> parseSshAddress(std::string_view text);
inline bool isSshAddress(std::string_view text) {
  return parseSshAddress(text).has_value();
}

/// Of a further network namespace of the host with this address; nothing where ip-netns(8) has no name for it.
std::optional<std::string> addressInNamespace(const std::string& host, const Place& networkNamespace);

/// What stands behind "ssh://" in this text; nothing where it begins otherwise.
std::optional<std::string_view> sshAddress(std::string_view from);

}  // namespace tcpscope
