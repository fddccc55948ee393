// The addresses of a connection in their place: what stays the same when the kernel puts a TIME-WAIT socket of another
// cookie where the connection was.
#pragma once

#include "core/model/socket_observation.h"

namespace tcpscope {

struct FourTuple {
  PlaceId place;
  Endpoint local;
  Endpoint remote;

  /// IPv4 addresses of an IPv6 socket are IPv4 addresses.
  static FourTuple of(PlaceId place, const Endpoint& local, const Endpoint& remote) {
    return {place, {local.address.unmapped(), local.port}, {remote.address.unmapped(), remote.port}};
  }
  /// The same at its other end, wherever that is.
  [[nodiscard]] bool isPeerOf(const FourTuple& other) const { return local == other.remote && remote == other.local; }
  static FourTuple of(const SocketObservation& socket) { return of(socket.id.place, socket.local, socket.remote); }
  bool operator==(const FourTuple&) const = default;
};

}  // namespace tcpscope

template <>
struct std::hash<tcpscope::FourTuple> {
  std::size_t operator()(const tcpscope::FourTuple& tuple) const noexcept {
    std::uint64_t mixed = tuple.place.number;
    const auto mix = [&mixed](std::uint64_t value) { mixed = (mixed ^ mixed >> 29 ^ value) * 0xD6E8FEB86659FD93ULL; };
    for (const tcpscope::Endpoint* end : {&tuple.local, &tuple.remote}) {
      for (const std::uint8_t byte : end->address.bytes()) mix(byte);
      mix(end->port);
    }
    return static_cast<std::size_t>(mixed);
  }
};
