// How fast loss alone would let a connection be: by the model of its congestion control, whatever limits it now.
#pragma once

#include <optional>

#include "core/diagnosis/evidence/connection_evidence.h"

namespace tcpscope {

/// Of the sending side, from the losses of the span. Absent where the congestion control has no model of loss, where
/// timeouts happened, and where the span has too few loss events for a mean.
std::optional<BitsPerSecond> rateThatLossAllows(const ConnectionEvidence& evidence);

}  // namespace tcpscope
