// Metrics over time as CSV (RFC 4180): a row for each connection and sample. Headers are the metrics' keys, which end
// with their unit; what is not known is an empty field.
#pragma once

#include <span>
#include <string>

#include "core/session/session_snapshot.h"

namespace tcpscope {

/// time_s, time, id, local, remote, process, then the metrics.
std::string seriesCsvHeader(std::span<const Metric> metrics);
/// `sinceBegin` is the time since the first sample.
std::string seriesCsvRow(const ConnectionDetail& detail, Nanoseconds sinceBegin, WallTime time,
                         std::span<const Metric> metrics);
/// The same of a moment of its history, as of a capture: rates are means over the `step` before it.
std::string seriesCsvRowAt(const ConnectionDetail& detail, Moment moment, Nanoseconds step, Nanoseconds sinceBegin,
                           WallTime time, std::span<const Metric> metrics);

}  // namespace tcpscope
