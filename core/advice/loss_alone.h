// Losses that set the rate although no queue overflows: what the remedies for them share.
#pragma once

#include "core/advice/advice.h"

namespace tcpscope {

/// Losses hold the sender back, and the round trips show no queue. A queue that overflows loses packets because the
/// path is full: slowing down is right then.
bool losesWithoutAQueue(const AdviceInput& input);

/// The bound of the model of loss that fits the sender's congestion control, the lowest where two fit; nothing where
/// none applies, where the path is full, and where a short queue may be what overflows.
std::optional<Bound> boundOfLossAlone(const AdviceInput& input);

}  // namespace tcpscope
