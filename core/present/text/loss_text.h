// Packets that this host dropped and retransmissions, in words: why, which data, and what of a retransmission was lost
// on this host.
#pragma once

#include <string>

#include "core/session/session_snapshot.h"

namespace tcpscope {

/// "netfilter drop (NETFILTER_DROP)".
std::string reasonText(const DropReason& reason);
/// "dropped on this host: netfilter drop (NETFILTER_DROP); sequence 17, length 1448"; of a retransmission "lost on this
/// host: …", or that only a part of it was, or that no drop was seen, and since when drops are known.
std::string sentence(const LossReport& report);
/// The same without the segment: "lost on this host: netfilter drop (NETFILTER_DROP)".
std::string causeText(const LossReport& report);
/// "Retransmission: lost on this host: …", "Packet from the peer: dropped on this host: …".
std::string eventText(const ReportedLoss& loss);
/// "Retransmissions of data that this host had dropped: 3 of the last 5. Packets dropped on this host lately: 2 to the
/// peer, 0 from the peer." Empty where nothing was reported.
std::string summary(const std::vector<ReportedLoss>& losses);

}  // namespace tcpscope
