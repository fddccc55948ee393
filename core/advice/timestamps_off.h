// The connection has no timestamps (RFC 7323) and is so fast that its 32-bit sequence numbers come round while an old
// packet may still be under way: nothing tells the two apart then (section 5, "PAWS").
#pragma once

#include "core/advice/advice.h"

namespace tcpscope::remedies {

std::optional<Remedy> timestampsOff(const AdviceInput& input);

}  // namespace tcpscope::remedies
