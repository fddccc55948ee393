// The send buffer here may not grow enough: tcp_wmem's third number caps auto-tuning.
#pragma once

#include "core/advice/advice.h"

namespace tcpscope::remedies {

std::optional<Remedy> sendBufferLimit(const AdviceInput& input);

}  // namespace tcpscope::remedies
