// The diagnosis of one direction of a captured connection, by the same rules, bounds and causes as for a socket.
//
// The evidence holds only what packets show; no rule or bound that needs more applies. The side is always the sending
// one, wherever the capture was taken.
#pragma once

#include "core/diagnosis/connection_diagnosis.h"
#include "core/diagnosis/evidence/wire_direction.h"
#include "core/wire/exchanges/exchange_summary.h"

namespace tcpscope {

/// What limited the direction over time: lists, which show none of it, leave it out.
enum class WithHistory : std::uint8_t { no, yes };

/// `direction` as in `flow`, which is the connection's summary; `wire` followed that direction, null without data;
/// `lossPattern` is the cause that the pattern of its losses shows, for a cause that is in doubt otherwise;
/// `exchanges` are those of the connection, whose requests direction 0 carries; null where there are none.
SideDiagnosis diagnoseWire(const ConnectionSummary& flow, std::size_t direction, const WireDirection* wire,
                           Cause lossPattern = Cause::unknown, const ExchangeSummary* exchanges = nullptr,
                           WithHistory history = WithHistory::yes);

}  // namespace tcpscope
