// The window of the other end is too small for the path, by its buffer: its administrator has to act.
#pragma once

#include "core/advice/advice.h"

namespace tcpscope::remedies {

std::optional<Remedy> receiverElsewhere(const AdviceInput& input);

}  // namespace tcpscope::remedies
