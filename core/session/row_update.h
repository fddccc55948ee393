// A connection's row in the list, made from what is tracked of it.
#pragma once

#include <limits>

#include "core/session/connection_table.h"

namespace tcpscope {

/// The row but for `pinned`. `last`: the connection's last sample, unpacked.
ConnectionRow rowOf(const TrackedConnection& tracked, const SocketObservation& last);

/// Of ConnectionFigures.
inline constexpr float kUnknownFigure = std::numeric_limits<float>::quiet_NaN();
float rateFigure(const std::optional<BitsPerSecond>& rate);
float rateFigure(const std::optional<NextLimit>& next);

/// Whole percent whose sum is 100 where anything was observed: the largest share takes the rounding.
LimitBar limitBar(const LimitShares& shares);
/// Empty where the verdict has no exchanges. Of captures the local end is the client.
ExchangeBar exchangeBar(const Verdict& verdict);

}  // namespace tcpscope
