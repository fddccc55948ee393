#include "core/model/connection_id.h"

#include <fmt/format.h>

namespace tcpscope {

namespace {

/// Above those of hosts and files.
constexpr std::uint32_t kFirstNamespace = 2'000'000;

}  // namespace

PlaceId placeOfNamespace(PlaceId host, std::uint32_t number) {
  return {kFirstNamespace + host.number * kMostNamespaces + number % kMostNamespaces};
}

std::optional<std::uint32_t> namespaceNumber(PlaceId place, PlaceId host) {
  if (host.number >= kFirstNamespace) return std::nullopt;
  const std::uint32_t number = place.number - placeOfNamespace(host, 0).number;
  return number < kMostNamespaces ? std::optional(number) : std::nullopt;
}

std::string ConnectionId::toString() const {
  return fmt::format("{}:{:x}", place.number, cookie);
}

}  // namespace tcpscope
