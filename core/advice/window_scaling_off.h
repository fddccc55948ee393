// One end has window scaling off, so that no window above 64 KiB can be told (RFC 7323). The sysctl of this place says
// which end it is.
#pragma once

#include "core/advice/advice.h"

namespace tcpscope::remedies {

std::optional<Remedy> windowScalingOff(const AdviceInput& input);

}  // namespace tcpscope::remedies
