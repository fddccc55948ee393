// The command line of this host with everything that it needs to run on another one of the same kind: its libraries and
// its loader, so that an older C library there does not matter.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/expected.h"

namespace tcpscope {

struct AgentBundle {
  /// "tcpscope-cli", "ld.so" and the libraries, in one folder.
  std::vector<std::byte> tar;
  /// As `uname -m` names it.
  std::string machine;
};

/// This program where it is the command line, else the one beside it, else the first in the path. Fails with errno:
/// ENOENT where there is none, or a library of it is not found.
Expected<AgentBundle, int> bundleAgent();

}  // namespace tcpscope
