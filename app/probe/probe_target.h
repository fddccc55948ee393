// A host to probe, as a person writes it: HOST:PORT of a listener, or ssh://HOST where one is started.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/remote/ssh_address.h"
#include "core/base/expected.h"

namespace tcpscope {

struct ProbeTarget {
  /// As it was written; foreign text.
  std::string name;
  /// Of the listener host and port, without a user; behind ssh as ssh takes it.
  SshAddress address;
  bool isSsh = false;

  /// Of a listener.
  [[nodiscard]] std::uint16_t port() const;
};

/// Or why it is none, in words, escaped for a terminal.
Expected<ProbeTarget, std::string> parseProbeTarget(std::string_view word);

/// Decimal digits, 1 to 65535; nothing for other text.
std::optional<std::uint16_t> parsePort(std::string_view word);

}  // namespace tcpscope
