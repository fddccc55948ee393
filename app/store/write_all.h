// All of a text into an open file.
#pragma once

#include <string_view>

#include "core/base/expected.h"

namespace tcpscope {

/// However often it takes. Fails with errno.
Expected<void, int> writeAll(int file, std::string_view text);

}  // namespace tcpscope
