// `analyze` of a router's own record of its drops, a CSV such as `lab record --packets` writes.
#pragma once

#include <string>

#include "app/cli/commands.h"

namespace tcpscope {

/// Standard input can be read only once, so it is never checked.
bool isDropLog(const std::string& name);

ExitCode analyzeDropLog(const CommandOptions& options, const std::string& name);

}  // namespace tcpscope
