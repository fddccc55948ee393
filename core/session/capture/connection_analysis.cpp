#include "core/session/capture/connection_analysis.h"

#include <algorithm>

namespace tcpscope {

Cause causeOf(const BurstVerdict& verdict) {
  constexpr double kSure = 0.8;
  if (verdict.confidenceRatio < kSure) return Cause::unknown;
  switch (verdict.cause) {
    case BurstCause::queueOverflow:
      return Cause::pathFull;
    case BurstCause::random:
      return Cause::loss;
    case BurstCause::policer:
      return Cause::policer;
    case BurstCause::reordering:
      return Cause::reordering;
    default:
      return Cause::unknown;
  }
}

std::size_t bulkDirection(const ConnectionSummary& flow) {
  return flow.directions[1].streamBytes() > flow.directions[0].streamBytes() ? 1 : 0;
}

bool isCapturedAtSender(const ConnectionSummary& flow, std::size_t direction) {
  // The vantage point refers to the end that sends the bulk.
  return flow.vantage == (direction == bulkDirection(flow) ? Vantage::sender : Vantage::receiver);
}

std::optional<Nanoseconds> pathRtt(const ConnectionSummary& flow, std::size_t direction) {
  const DirectionSummary& sent = flow.directions[direction];
  if (isCapturedAtSender(flow, direction) && sent.rtt) return sent.rtt->median;
  if (sent.timestampRtt) return sent.timestampRtt->median;
  if (flow.handshakeRtt) return flow.handshakeRtt;
  const std::optional<RttSummary>& other = flow.directions[1 - direction].rtt;
  return sent.rtt && other ? std::optional(sent.rtt->median + other->median) : std::nullopt;
}

std::optional<Nanoseconds> shortestPathRtt(const ConnectionSummary& flow, std::size_t direction) {
  const DirectionSummary& sent = flow.directions[direction];
  const bool isWhole = isCapturedAtSender(flow, direction) && sent.rtt;
  const std::optional<RttSummary>& rtts = isWhole ? sent.rtt : sent.timestampRtt;
  if (!rtts) return pathRtt(flow, direction);
  return flow.handshakeRtt ? std::min(rtts->min, *flow.handshakeRtt) : rtts->min;
}

}  // namespace tcpscope
