// A captured connection in words: negotiated options, the causes of retransmissions, where the
// capture was taken.
#pragma once

#include <string>
#include <string_view>

#include "core/wire/flow/direction_summary.h"

namespace tcpscope {

/// "after a timeout", for a count in front.
std::string_view phrase(RetransmissionCause cause);
/// "captured at 192.0.2.1", "captured along the path".
std::string capturedWhere(const ConnectionSummary& flow);
/// "MSS 1460 and 1448 bytes, window scale 7 and 9, SACK, timestamps", what is not known being said. The initiator's
/// figure stands first.
std::string negotiated(const ConnectionSummary& flow);

}  // namespace tcpscope
