// The receive buffer here may not grow enough: tcp_rmem's third number caps auto-tuning, and what the window scale is
// at a connection's beginning.
#pragma once

#include "core/advice/advice.h"

namespace tcpscope::remedies {

std::optional<Remedy> receiveBufferLimit(const AdviceInput& input);

}  // namespace tcpscope::remedies
