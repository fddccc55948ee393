// Who is slow where requests and responses alternate, from samples of one end alone.
//
// The kernel keeps when data was last sent and when it last arrived, to a millisecond. Whatever happened between two
// samples, each shows one turn that is over: this end's, from an arrival to what it sent then, or the peer's, from that
// to the next arrival, which includes the RTT and the transfer. Packets show each exchange (core/wire/exchanges).
#pragma once

#include "core/diagnosis/evidence/connection_evidence.h"

namespace tcpscope {

/// 0…1 each, together 1.
struct ExchangeShares {
  double here = 0.0;
  double path = 0.0;
  double peer = 0.0;
  /// Of each share, to either side: from how much the turns differ, and from how many were seen.
  double uncertainty = 0.0;
  double exchangesPerSecond = 0.0;
};

/// Nothing where data flows in one direction, or where too few turns were seen.
std::optional<ExchangeShares> exchangeShares(const ConnectionEvidence& evidence);

/// As figures of a verdict and of a finding.
std::vector<Evidence> figuresOf(const ExchangeShares& shares);

}  // namespace tcpscope
