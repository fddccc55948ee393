// Who is slow where requests and responses alternate.
//
// From samples of one end alone: the kernel keeps when data was last sent and when it last arrived, to a millisecond.
// Whatever happened between two samples, each shows one turn that is over: this end's, from an arrival to what it sent
// then, or the peer's, from that to the next arrival, which includes the RTT and the transfer. Packets show each
// exchange (core/wire/exchanges).
#pragma once

#include <array>
#include <string_view>

#include "core/diagnosis/evidence/connection_evidence.h"
#include "core/wire/exchanges/exchange_summary.h"

namespace tcpscope {

/// Nothing where data flows in one direction, or where too few turns were seen.
std::optional<ExchangeShares> exchangeShares(const ConnectionEvidence& evidence);

/// Of captured exchanges; an end's transfers are its own time. Nothing of too few, nor about the direction of the
/// requests (0) or of the responses (1) where the other one's transfers take long.
std::optional<ExchangeShares> exchangeShares(const ExchangeSummary& seen, std::size_t direction);

enum class SlowPart : std::uint8_t { here, path, peer };
inline constexpr std::array kSlowParts = {SlowPart::here, SlowPart::path, SlowPart::peer};
/// "here", "path" or "peer".
std::string_view name(SlowPart part);
/// The one that takes most of the time.
SlowPart slowestOf(const ExchangeShares& shares);
double shareOf(const ExchangeShares& shares, SlowPart part);

/// As figures of a verdict and of a finding, and back; nothing where the figures have none.
std::vector<Evidence> figuresOf(const ExchangeShares& shares);
std::optional<ExchangeShares> exchangeSharesIn(const std::vector<Evidence>& figures);

}  // namespace tcpscope
