// What a bound's row says beside its rate.
#pragma once

#include <string>

#include "core/diagnosis/bounds/bound.h"

namespace tcpscope {

/// It has a meaningful rate: it bounds the transfer, or the note explains what it is.
bool hasRate(const Bound& bound);
/// Why it does not apply, or what its rate means; mentions a rate only where hasRate().
std::string noteOf(const Bound& bound);

}  // namespace tcpscope
