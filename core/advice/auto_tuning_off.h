// The receive buffer here stays where it began, because tcp_moderate_rcvbuf is off. The kernel asks the setting at
// every round trip: it helps connections that are open, too.
#pragma once

#include "core/advice/advice.h"

namespace tcpscope::remedies {

std::optional<Remedy> autoTuningOff(const AdviceInput& input);

}  // namespace tcpscope::remedies
