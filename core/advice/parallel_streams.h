// Loss that does not come from a full path sets the rate of one connection: several at once carry as many times that,
// each at the same loss and round trip (Mathis and others 1997). Where losses are at random and not of congestion,
// that is fair; where the path is full, it takes the share of as many users (Web100 and the Visible Human project,
// section 1.2; "High-speed TCP and parallel TCP", section 4). Their buffers are not divided by their number.
#pragma once

#include "core/advice/advice.h"

namespace tcpscope::remedies {

std::optional<Remedy> parallelStreams(const AdviceInput& input);

}  // namespace tcpscope::remedies
