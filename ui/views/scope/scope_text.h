// The instrument's picture as text: a sentence for those who cannot see it, and the samples as CSV.
#pragma once

#include <QString>
#include <string>
#include <vector>

#include "core/model/connection_history.h"
#include "core/session/session_snapshot.h"
#include "ui/plots/cursor_pair.h"
#include "ui/plots/packet_samples.h"
#include "ui/views/scope/trace_table_model.h"

namespace tcpscope {

/// "10 s on the screen. Send rate: now 12.3 Mbit/s, between 1 and 20 Mbit/s. …"
QString describeScreen(const std::vector<TraceReading>& readings, Nanoseconds screen);
/// "Δt = 120 ms   1/Δt = 8.33 Hz", from A to B; empty without cursors.
QString describeCursors(const CursorPair& cursors);

/// Every sample on the screen, one a line: `time_s` (of the place's monotonic clock) and one column a trace, by its
/// key. What is not reported is an empty field; without limit is `unlimited`. `packets` gives what packets say at that
/// time.
std::string samplesCsv(const ConnectionHistory& history, const std::vector<TraceSource>& sources, TimeSpan screen,
                       const std::optional<PacketSamples>& packets = std::nullopt);
/// The same of several connections, one after the other, with `local` and `remote` before the time.
std::string samplesCsv(const std::vector<std::shared_ptr<const ConnectionDetail>>& details,
                       const std::vector<TraceSource>& sources, TimeSpan screen);

/// How far traces of packets and of samples are apart in time, or why the former are unknown; empty where all is well
/// known, as in a capture, whose samples are made of its packets.
QString describePacketClock(const SessionSnapshot& snapshot, const ConnectionDetail& detail);
/// Nothing where no packets of the connection are captured. `detail` outlives it.
std::optional<PacketSamples> packetSamplesOf(const ConnectionDetail& detail);

}  // namespace tcpscope
