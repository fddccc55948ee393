// The program set a pacing limit (SO_MAX_PACING_RATE), and the rate has reached it. It can be raised at any time.
#pragma once

#include "core/advice/advice.h"

namespace tcpscope::remedies {

std::optional<Remedy> pacingLimit(const AdviceInput& input);

}  // namespace tcpscope::remedies
