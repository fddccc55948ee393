// What `diagnose` and `advise` print alike around their connections: the line that names one, and what was left out.
#pragma once

#include "app/cli/side_output.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

/// Ends, state, congestion control and owner.
void appendConnectionName(TextBuffer& out, const ConnectionDetail& detail, const Style& style);

/// "  Tx 12.0 Mbit/s"
void appendSideName(TextBuffer& out, const SideDiagnosis& side);

/// Lost input, and how many quiet connections were left out.
void appendLeftOut(TextBuffer& out, const SessionSnapshot& snapshot,
                   const std::vector<std::shared_ptr<const ConnectionDetail>>& details);

}  // namespace tcpscope
