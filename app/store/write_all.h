// Writes a whole text to an open file.
#pragma once

#include <string_view>

#include "core/base/expected.h"

namespace tcpscope {

/// Repeats write(2) until done. Fails with errno.
Expected<void, int> writeAll(int file, std::string_view text);

}  // namespace tcpscope
