// Requests and their responses on one connection, as the directions, times and sizes of its data show them: beneath
// TLS, too, and whatever the protocol.
//
// An exchange is data of the client, then data of the server, up to the next data of the client. Its time is split at
// the capture point: the time until the response begins is the server's and the path's between here and there, the time
// until the next request the client's and the path's to it. The quickest answer of each end is taken as its path's
// part.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/moment.h"
#include "core/base/units.h"

namespace tcpscope {

/// One of the exchanges whose responses took longest to begin.
struct SlowExchange {
  /// When its request began, and when its response did.
  WallTime requestAt;
  WallTime responseAt;
  /// From the end of the request to the beginning of the response, without the path.
  Nanoseconds response{0};
  /// Positions of the last packet of the request and of the first of the response in the capture, from 0.
  std::uint64_t requestPacket = 0;
  std::uint64_t responsePacket = 0;
};

struct ExchangeSummary {
  std::uint64_t count = 0;
  /// Between a response and the next request.
  Nanoseconds client{0};
  /// One RTT of the path for each exchange, at its quickest.
  Nanoseconds network{0};
  /// Between a request and its response.
  Nanoseconds server{0};
  /// From the first to the last byte of requests, and of responses.
  Nanoseconds requestTransfer{0};
  Nanoseconds responseTransfer{0};
  /// Of `server`, by exchange.
  Nanoseconds responseMedian{0};
  Nanoseconds responseP95{0};
  Nanoseconds responseMax{0};
  /// Slowest first.
  std::vector<SlowExchange> slowest;
  /// How often a piece of a request waited for a delayed acknowledgment of the piece before, and for how long; part of
  /// requestTransfer.
  std::uint64_t delayedPieces = 0;
  Nanoseconds delayedPieceTime{0};

  [[nodiscard]] Nanoseconds whole() const { return client + network + server + requestTransfer + responseTransfer; }
};

}  // namespace tcpscope
