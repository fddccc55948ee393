// The command line of this host with everything that it needs to run on another one of the same kind: its libraries and
// its loader, so that an older C library there does not matter.
#pragma once

#include <cstddef>
#include <vector>

#include "core/base/expected.h"

namespace tcpscope {

/// A tar of one folder with "tcpscope-cli", "ld.so" and the libraries. It is this program where that is the command
/// line, else the one beside it, else the first in the path. Fails with errno: ENOENT where there is none, or a library
/// of it is not found.
Expected<std::vector<std::byte>, int> bundleAgent();

}  // namespace tcpscope
