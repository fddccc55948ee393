// Packets are lost at random, or by a queue too short to show, and the congestion control in use slows down for each
// loss as if the path were full. One that measures the path's rate instead does not (BBR; Cardwell and others, 2016).
#pragma once

#include "core/advice/advice.h"

namespace tcpscope::remedies {

std::optional<Remedy> randomLoss(const AdviceInput& input);

}  // namespace tcpscope::remedies
