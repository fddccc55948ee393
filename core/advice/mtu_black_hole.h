// Packets of full size never arrive and nobody says so. With tcp_mtu_probing at 1 the kernel tries smaller ones after
// repeated timeouts (RFC 4821), on connections that are open, too.
#pragma once

#include "core/advice/advice.h"

namespace tcpscope::remedies {

std::optional<Remedy> mtuBlackHole(const AdviceInput& input);

}  // namespace tcpscope::remedies
