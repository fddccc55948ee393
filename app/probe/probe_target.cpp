#include "app/probe/probe_target.h"

#include <fmt/format.h>

#include <charconv>

#include "core/base/escape.h"

namespace tcpscope {

std::optional<std::uint16_t> parsePort(std::string_view word) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), port);
  const bool isWhole = error == std::errc() && end == word.data() + word.size() && port != 0;
  return isWhole ? std::optional(port) : std::nullopt;
}

std::uint16_t ProbeTarget::port() const {
  return parsePort(address.port).value_or(0);
}

Expected<ProbeTarget, std::string> parseProbeTarget(std::string_view word) {
  if (const auto host = sshAddress(word)) {
    auto address = parseSshAddress(*host);
    // The address at which ssh reaches the host is none of the namespace's.
    if (address && !address->networkNamespace.empty())
      return Unexpected<std::string>(
          fmt::format("'{}' is a network namespace, which no probe reaches; use ssh://HOST", forTerminal(*host)));
    if (address) return ProbeTarget{std::string(word), std::move(*address), true};
    return Unexpected<std::string>(fmt::format("'{}' is not a host; use ssh://HOST", forTerminal(*host)));
  }
  // As an address of ssh is written: HOST:PORT and [ADDRESS]:PORT.
  auto place = parseSshAddress(word);
  if (place && place->user.empty() && place->networkNamespace.empty() && parsePort(place->port))
    return ProbeTarget{std::string(word), std::move(*place), false};
  return Unexpected<std::string>(
      fmt::format("'{}' is no HOST:PORT; 'tcpscope-cli probe --listen' there prints its port", forTerminal(word)));
}

}  // namespace tcpscope
