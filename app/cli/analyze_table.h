// Many captured connections: a line each, then how long connections took to open at each destination.
#pragma once

#include <vector>

#include "app/cli/analyze_output.h"

namespace tcpscope {

/// The first of `picks` in the order that is asked for, by default the worst first. `out`: what comes before it.
ExitCode writeTable(TextBuffer& out, const AnalysedFiles& all, const std::vector<CapturedPick>& picks,
                    const AnalysisForm& form);

}  // namespace tcpscope
