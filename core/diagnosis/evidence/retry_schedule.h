// When the kernel tries again and when it gives up, from the timer, the timeout and its doublings.
//
// The retransmission timeout doubles with each try (RFC 6298 §5.5; tcp_retransmit_timer in net/ipv4/tcp_timer.c): the
// first timeout of the series is the present one divided by two for each doubling. Only the first
// tcp_syn_linear_timeouts of a SYN do not double it (Linux 6.5).
#pragma once

#include <optional>

#include "core/diagnosis/evidence/connection_evidence.h"

namespace tcpscope {

/// Since the oldest segment without an acknowledgment was first sent, the SYN included. Absent where the timer is not
/// reported, or the timeout has reached its maximum of two minutes, behind which the doublings do not show.
std::optional<Nanoseconds> sinceFirstTry(const ConnectionEvidence& evidence);

/// Until the kernel ends the connection with ETIMEDOUT, if nothing is acknowledged. Absent as above, and where the
/// settings are not known. A TCP_USER_TIMEOUT of the program takes the place of tcp_retries2 (tcp_write_timeout in
/// net/ipv4/tcp_timer.c); where it is not known, none is assumed.
std::optional<Nanoseconds> untilGivenUp(const ConnectionEvidence& evidence);

}  // namespace tcpscope
