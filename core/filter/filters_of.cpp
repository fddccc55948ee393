#include "core/filter/filters_of.h"

#include <fmt/format.h>

#include <optional>

#include "core/base/escape.h"

namespace tcpscope {

namespace {

std::string hostOf(const IpAddress& address) {
  return address.family() == AddressFamily::ipv6 ? fmt::format("[{}]", address.toString()) : address.toString();
}

/// Nothing for a text that has both quotes, or characters that a person cannot type.
std::optional<std::string> quotedWord(const UntrustedText& text) {
  const std::string& bytes = text.rawBytes();
  if (bytes.empty() || forPlainText(text) != bytes) return std::nullopt;
  if (bytes.find('"') == std::string::npos) return fmt::format("\"{}\"", bytes);
  if (bytes.find('\'') == std::string::npos) return fmt::format("'{}'", bytes);
  return std::nullopt;
}

}  // namespace

std::string ssFilter(const Endpoint& local, const Endpoint& remote) {
  return fmt::format("src {} and dst {}", local.toString(), remote.toString());
}

std::vector<OfferedFilter> filtersOf(const Endpoint& local, const Endpoint& remote, const Owner* owner, Limit limit) {
  std::vector<OfferedFilter> filters{
      {"Remote address", fmt::format("dst {}", hostOf(remote.address))},
      {"Remote port", fmt::format("dport = :{}", remote.port)},
      {"Local address", fmt::format("src {}", hostOf(local.address))},
      {"Local port", fmt::format("sport = :{}", local.port)},
  };
  if (const auto process = owner == nullptr ? std::nullopt : quotedWord(owner->processName)) {
    filters.push_back({"Process", fmt::format("process = {}", *process)});
  }
  if (limit != Limit::unknown) filters.push_back({"Limit", fmt::format("limit = {}", name(limit))});
  return filters;
}

}  // namespace tcpscope
