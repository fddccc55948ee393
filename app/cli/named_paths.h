// The paths that a word of the user means: a network, an address, or a name, which alone is asked of the resolver.
#pragma once

#include <set>
#include <string>

#include "app/cli/exit_code.h"
#include "core/advice/path_prefix.h"
#include "core/base/expected.h"

namespace tcpscope {

/// Never empty; or the exit code after printing the error: an unknown name, or an address without a path.
Expected<std::set<PathPrefix>, ExitCode> pathsOfName(const std::string& word);

}  // namespace tcpscope
