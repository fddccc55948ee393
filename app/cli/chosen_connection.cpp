#include "app/cli/chosen_connection.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "app/cli/command_options.h"
#include "core/base/escape.h"
#include "core/filter/filter_words.h"

namespace tcpscope {

namespace {

template <class Number>
std::optional<Number> numberOf(std::string_view text, int base = 10) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<Endpoint> endpointOf(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string_view host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  const auto address = IpAddress::parse(host);
  const auto port = numberOf<std::uint16_t>(text.substr(colon + 1));
  if (!address || !port) return std::nullopt;
  return Endpoint{*address, *port};
}

/// The first few.
std::string namesOf(const Sockets& connections) {
  constexpr std::size_t kNamed = 10;
  std::string names;
  for (std::size_t index = 0; index < std::min(connections.size(), kNamed); ++index) {
    const SocketObservation& one = *connections[index];
    names += fmt::format("{}{} ({}-{})", index == 0 ? "" : ", ", one.id.toString(), one.local.toString(),
                         one.remote.toString());
  }
  if (connections.size() > kNamed) names += fmt::format(" and {} more", connections.size() - kNamed);
  return names;
}

Unexpected<ExitCode> failed(ExitCode code, std::string_view message) {
  return Unexpected<ExitCode>(fail(code, message));
}

/// Keeps the connections that the word names; false where it names none in any way.
bool keepNamed(Sockets& connections, std::string_view word) {
  if (const auto id = connectionId(word)) {
    std::erase_if(connections, [&](const SocketObservation* one) { return one->id != *id; });
    return true;
  }
  const auto ends = endPair(word);
  if (!ends) return false;
  std::erase_if(connections,
                [&](const SocketObservation* one) { return one->local != ends->local || one->remote != ends->remote; });
  return true;
}

}  // namespace

std::optional<ConnectionId> connectionId(std::string_view word) {
  const std::size_t colon = word.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto place = numberOf<std::uint32_t>(word.substr(0, colon));
  const auto cookie = numberOf<std::uint64_t>(word.substr(colon + 1), 16);
  if (!place || !cookie) return std::nullopt;
  return ConnectionId{PlaceId{*place}, *cookie};
}

std::optional<EndPairName> endPair(std::string_view word) {
  const std::size_t dash = word.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const auto local = endpointOf(word.substr(0, dash));
  const auto remote = endpointOf(word.substr(dash + 1));
  if (!local || !remote) return std::nullopt;
  return EndPairName{*local, *remote};
}

Expected<Listing, ExitCode> chooseConnection(const CommandOptions& options, const LocalPlace& place,
                                             const std::optional<std::string>& word) {
  if (!word && options.filterText.empty()) {
    return failed(
        ExitCode::wrongUsage,
        "no connection given: use its id from 'tcpscope-cli list --json', LOCAL-REMOTE, or a filter after --");
  }
  const auto filter = parseFilter(options);
  if (!filter) return Unexpected<ExitCode>(filter.error());
  auto listing = takeListing(place, *filter, asksForProcess(*filter));
  if (!listing) return Unexpected<ExitCode>(fail(listing.error()));
  Sockets& connections = listing->connections;
  if (word && !keepNamed(connections, *word)) {
    return failed(ExitCode::wrongUsage,
                  fmt::format("'{}' is neither the id of a connection, such as 0:1a2b, nor LOCAL-REMOTE; see "
                              "'tcpscope-cli list --json'",
                              forTerminal(*word)));
  }
  if (connections.empty()) {
    return failed(ExitCode::notThere, "no such connection; see 'tcpscope-cli list'");
  }
  if (connections.size() > 1) {
    return failed(ExitCode::wrongUsage,
                  fmt::format("the filter matches {} connections instead of one; use the id of one of these: {}",
                              connections.size(), namesOf(connections)));
  }
  return std::move(*listing);
}

}  // namespace tcpscope
