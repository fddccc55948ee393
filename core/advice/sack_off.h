// Losses are repaired without selective acknowledgments (RFC 2018), one a round trip, because one end has them off. The
// sysctl of this place says which end it is.
#pragma once

#include "core/advice/advice.h"

namespace tcpscope::remedies {

std::optional<Remedy> sackOff(const AdviceInput& input);

}  // namespace tcpscope::remedies
