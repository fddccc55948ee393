// A captured connection in words: negotiated options, the causes of retransmissions, where the capture was taken; and
// its losses: whether they cluster, what dropped them, and what a pattern compares with.
#pragma once

#include <string>
#include <string_view>

#include "core/wire/flow/direction_summary.h"
#include "core/wire/loss/loss_summary.h"
#include "core/wire/loss/reference_bursts.h"

namespace tcpscope {

/// "after a timeout", for a count in front.
std::string_view phrase(RetransmissionCause cause);
/// "captured at 192.0.2.1", "captured along the path".
std::string capturedWhere(const ConnectionSummary& flow);
/// "MSS 1460 and 1448 bytes, window scale 7 and 9, SACK, timestamps", what is not known being said. The initiator's
/// figure stands first.
std::string negotiated(const ConnectionSummary& flow);
/// "connected in 1.03 s (SYN sent 2 times), first byte after 1.09 s"; empty where the capture does not hold the whole
/// handshake from the first SYN on.
std::string openingTimes(const ConnectionSummary& flow);

/// Shown beside every loss pattern of a TCP capture.
extern const std::string_view kCaptureHoldsSendersBursts;

/// "A queue on the path overflowed (confidence 91 %)." or the candidates.
std::string sentence(const BurstVerdict& verdict);
/// "Clustered: 67.3 % of the losses are within 0.01 RTT of the previous one; of losses drawn at random over the packets
/// sent, 9.1 % would be (p at most 0.001)."
std::string sentence(const RandomDropTest& test);
/// "Loss events per 1000 packets: 0.42 (95 %: 0.31 to 0.56)", "No loss event in 5000 packets: below 0.6 per 1000".
std::string sentence(const LossEventRatio& ratio, std::uint64_t packets);
/// "Bursts of 3.3 packets (± 0.2) begin before 0.08 % of the packets; all packets in them are lost."
std::string sentence(const BurstModel& model);
/// "NS-2 simulation (Wei, Cao, Low 2007): more than 95 % within 0.01 RTT"
std::string caption(const ReferenceBurst& reference);
/// "queue overflow"
std::string_view shortName(BurstCause cause);

}  // namespace tcpscope
