// One direction of a captured connection: its counts, retransmissions, RTTs, windows, losses and verdict. A
// part of capture_document.
#pragma once

#include "core/present/json/json_values.h"
#include "core/session/capture/connection_analysis.h"

namespace tcpscope::json {

/// Exact: with a fraction where the capture's clock has nanoseconds.
double microseconds(Nanoseconds span);
void rttJson(JsonWriter& out, const RttSummary& summary);
/// `direction`: 0 is the initiator's.
void captureDirection(JsonWriter& out, const ConnectionAnalysis& analysis, std::size_t direction);

}  // namespace tcpscope::json
