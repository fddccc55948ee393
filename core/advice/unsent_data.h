// For latency: much data that the program wrote waits in the kernel before it is sent, so that what it writes next
// comes late. TCP_NOTSENT_LOWAT lets a program write only when little waits; what is under way is not touched.
#pragma once

#include "core/advice/advice.h"

namespace tcpscope::remedies {

std::optional<Remedy> unsentData(const AdviceInput& input);

}  // namespace tcpscope::remedies
