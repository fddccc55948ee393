// What a bound's row says beside its rate.
#pragma once

#include <string>

#include "core/diagnosis/bounds/bound.h"

namespace tcpscope {

/// It has a rate that means something: it bounds the transfer, or the note says what else it is.
bool tellsRate(const Bound& bound);
/// Why it does not apply, or what its rate is: speaks of a rate only where there is one to tell.
std::string noteOf(const Bound& bound);

}  // namespace tcpscope
