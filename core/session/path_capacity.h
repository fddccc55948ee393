// What the captured packets of a live connection show of its path, put into its diagnosis.
#pragma once

#include "core/session/capture/connection_analysis.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

/// Each side learns the capacity of the direction that it is about, and its verdict what holds next. Nothing changes
/// where the packets show none.
void learnCapacity(ConnectionDetail& detail, const ConnectionAnalysis& analysis);

}  // namespace tcpscope
