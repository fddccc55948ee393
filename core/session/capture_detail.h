// The full picture of one connection of a capture, as views get it of a live one: history, events, diagnosis, and its
// packets.
#pragma once

#include "core/session/capture/captured_packets.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

std::shared_ptr<const ConnectionDetail> detailOf(std::shared_ptr<const CapturedPackets> packets, ConnectionId id);

/// What the packets show at even steps of at least 10 ms, at most some ten thousand: rates, windows, in flight, round
/// trips and counts under the names that the kernel's figures have, with the initiator as this end.
ConnectionHistory historyOf(const CapturedPackets& packets);
/// Retransmissions and windows that close, begin and end.
std::vector<HistoryEvent> eventsOf(const CapturedPackets& packets);

}  // namespace tcpscope
