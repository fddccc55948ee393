// Evidence from the packets of one direction of a captured connection: what the wire shows, and no more. The sender's
// congestion window, buffers and timers are not among it.
#pragma once

#include "core/diagnosis/evidence/connection_evidence.h"
#include "core/diagnosis/evidence/wire_direction.h"

namespace tcpscope {

/// `wire` followed this direction, which has sent data; `lossPattern` as in WaitEvidence.
ConnectionEvidence packetEvidence(const ConnectionSummary& flow, std::size_t direction, const WireDirection& wire,
                                  Cause lossPattern);

/// Of a direction that carries no data: whether its FIN, or its keep-alives, are answered.
ConnectionEvidence silentEvidence(const ConnectionSummary& flow, std::size_t direction);

/// What the handshake shows for this direction: negotiated options, the receiver's window scale, segment size and the
/// handshake's RTT. Nothing of its data.
ConnectionEvidence handshakeEvidence(const ConnectionSummary& flow, std::size_t direction);

/// Of a connection of which nothing but SYNs passed, with or without answers; nothing for any other.
std::optional<ConnectionEvidence> openingEvidence(const ConnectionSummary& flow);

/// Captured times as the clock of the evidence, which only measures between times.
constexpr Moment evidenceMoment(WallTime time) {
  return Moment::fromNanoseconds(time.nanoseconds());
}

}  // namespace tcpscope
