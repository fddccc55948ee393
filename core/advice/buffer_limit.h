// A buffer here may not grow enough: the third number of tcp_rmem and tcp_wmem caps auto-tuning, and for a receive
// buffer what the window scale is at a connection's beginning.
#pragma once

#include "core/advice/advice.h"

namespace tcpscope::remedies {

std::optional<Remedy> receiveBufferLimit(const AdviceInput& input);
std::optional<Remedy> sendBufferLimit(const AdviceInput& input);

}  // namespace tcpscope::remedies
