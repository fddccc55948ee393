// Requests and responses in words: who takes the time, and what would become of it.
#pragma once

#include <string>
#include <string_view>

#include "core/diagnosis/evidence/exchange_shares.h"

namespace tcpscope {

/// The part that takes most of the time, as what limits: "the server", "the RTT".
std::string_view slowPartWords(const ExchangeShares& shares);
/// "server 82 %": its name and share.
std::string slowestShare(const ExchangeShares& shares);
/// "this end 20 %, path 20 %, peer 60 %"; of captures client and server.
std::string shares(const ExchangeShares& shares);
/// How many exchanges a second there would be without the time of this part: "up to 2.5 times as many".
std::string gainWithout(const ExchangeShares& shares, SlowPart part);

/// The sentence of the finding: shares, where to look, and what it may bring.
std::string whoIsSlow(const ExchangeShares& exchanges);

/// "23: server 82 %, network 12 %, client 6 %, transfer <0.1 %"
std::string shares(const ExchangeSummary& exchanges);
/// "median 8.1 ms, 95 % 31.0 ms, maximum 120 ms (request in frame 869, response in frame 871)"
std::string responseTimes(const ExchangeSummary& exchanges);

}  // namespace tcpscope
