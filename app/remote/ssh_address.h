// What may be handed to ssh as the host: what a person types, and nothing that ssh would take for an option or a shell
// for a command.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tcpscope {

struct SshAddress {
  /// Empty where ssh is to choose, as its configuration says.
  std::string user;
  /// A name, one of ~/.ssh/config, or an address; without brackets.
  std::string host;
  /// Digits; empty where ssh is to choose.
  std::string port;
  /// Of that host, as ip-netns(8) calls it. Empty for the one that a login is in.
  std::string networkNamespace{};

  bool operator==(const SshAddress&) const = default;
};

/// HOST, USER@HOST, HOST:PORT, [ADDRESS]:PORT or an IPv6 address as it is, "/NAMESPACE" behind it where another than
/// the login's is meant, at most 255 bytes; nothing for other text.
std::optional<SshAddress> parseSshAddress(std::string_view text);
inline bool isSshAddress(std::string_view text) {
  return parseSshAddress(text).has_value();
}

/// What stands behind "ssh://" in this text; nothing where it begins otherwise.
std::optional<std::string_view> sshAddress(std::string_view from);

}  // namespace tcpscope
