// The instrument's picture as text: a sentence for those who cannot see it, and the samples as CSV.
#pragma once

#include <QString>
#include <string>
#include <vector>

#include "core/model/connection_history.h"
#include "ui/plots/cursor_pair.h"
#include "ui/views/scope/trace_table_model.h"

namespace tcpscope {

/// "10 s on the screen. Send rate: now 12.3 Mbit/s, between 1 and 20 Mbit/s. …"
QString describeScreen(const std::vector<TraceReading>& readings, Nanoseconds screen);
/// "Δt = 120 ms   1/Δt = 8.33 Hz", from A to B; empty without cursors.
QString describeCursors(const CursorPair& cursors);

/// Every sample on the screen, one a line: `time_s` (of the place's monotonic clock) and one column a metric, by its
/// key. What is not reported is an empty field; without limit is `unlimited`.
std::string samplesCsv(const ConnectionHistory& history, const std::vector<Metric>& metrics, TimeSpan screen);

}  // namespace tcpscope
