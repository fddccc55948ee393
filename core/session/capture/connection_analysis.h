// All that a capture shows of one connection: what documents, lists and reports are made from.
#pragma once

#include <array>

#include "core/diagnosis/connection_diagnosis.h"
#include "core/wire/exchanges/exchange_summary.h"
#include "core/wire/flow/direction_summary.h"
#include "core/wire/loss/loss_summary.h"

namespace tcpscope {

struct DirectionAnalysis {
  LossSummary loss;
  /// What limited the sending; `unknown` where the packets do not show it.
  SideDiagnosis diagnosis;
};

struct ConnectionAnalysis {
  ConnectionSummary flow;
  /// Initiator's first, as in `flow`.
  std::array<DirectionAnalysis, 2> directions;
  /// Of the initiator's requests and the responses to them; absent where the ends did not take turns.
  std::optional<ExchangeSummary> exchanges;
  /// The direction whose verdict is the connection's: that with more data, unless of two that carry about as much the
  /// other one alone has an answer.
  std::size_t bulk = 0;
};

/// Why packets were lost, where their pattern alone is sure of it; an overflowing queue has several causes, and is
/// none.
Cause causeOf(const BurstVerdict& verdict);

/// 0 or 1: the direction that carries more of the data, the initiator's where both carry the same.
std::size_t bulkDirection(const ConnectionSummary& flow);

/// Is the capture point at the end that sends this direction, so that its RTTs cover the whole path?
bool isCapturedAtSender(const ConnectionSummary& flow, std::size_t direction);

/// The RTT of the whole path for what this direction sends, its queues included: at the sender the median from data to
/// its acknowledgment, elsewhere that of the timestamps, failing both, the handshake's, or what data and its
/// acknowledgments take on both sides of the capture point. Nothing where the capture shows none of them.
std::optional<Nanoseconds> pathRtt(const ConnectionSummary& flow, std::size_t direction);
/// The same without queues, as far as the capture shows it: the shortest RTT or that of the handshake.
std::optional<Nanoseconds> shortestPathRtt(const ConnectionSummary& flow, std::size_t direction);

}  // namespace tcpscope
