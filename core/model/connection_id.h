// What a connection is called while it lives: the place it was seen in and the kernel's socket cookie there.
//
// The cookie is never reused while the kernel runs, unlike the four-tuple.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace tcpscope {

/// A network namespace of a host, a recording, an agent: the program that opens one numbers it (see
/// session_snapshot.h).
struct PlaceId {
  std::uint32_t number = 0;
  auto operator<=>(const PlaceId&) const = default;
};

/// Further network namespaces of one host that are observed at a time.
inline constexpr std::uint32_t kMostNamespaces = 4096;

/// The further network namespaces of a host are places of their own, numbered from 0 there.
PlaceId placeOfNamespace(PlaceId host, std::uint32_t number);
/// Its number there; absent where the place is no further namespace of that host.
std::optional<std::uint32_t> namespaceNumber(PlaceId place, PlaceId host);

struct ConnectionId {
  PlaceId place;
  std::uint64_t cookie = 0;

  /// "0:1a2b": place and cookie, the `id` of the JSON documents.
  [[nodiscard]] std::string toString() const;

  auto operator<=>(const ConnectionId&) const = default;
};

}  // namespace tcpscope

template <>
struct std::hash<tcpscope::ConnectionId> {
  std::size_t operator()(const tcpscope::ConnectionId& id) const noexcept {
    // Cookies are handed out in sequence per processor: a multiplication spreads them.
    return static_cast<std::size_t>((id.cookie ^ (static_cast<std::uint64_t>(id.place.number) << 48)) *
                                    0x9E3779B97F4A7C15ULL);
  }
};
