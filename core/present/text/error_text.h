// What a person reads when a call of the system failed: what happened, why, what to do next; one line. The sentence
// about a filter (core/filter/connection_filter.h) is made here, too.
#pragma once

#include <string>

#include "core/base/system_error.h"

namespace tcpscope {

std::string sentence(const SystemError& error);

}  // namespace tcpscope
