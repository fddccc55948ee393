// The plots of the first pages of a report that only packets or counters of bytes show: the sequence over time with
// its retransmissions, and the intervals between losses.
#pragma once

#include <optional>

#include "core/present/report/report_model.h"
#include "core/present/svg/time_plot.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

struct LossSummary;

/// Data of the bulk side over time: sent, acknowledged and retransmitted by the packets of a capture, else what the
/// kernel counted. Nothing where neither is known.
std::optional<TimePlot> sequencePlot(const ConnectionDetail& detail, const ClockPair& clock);

/// Rate from the first byte of a capture to the last: what is idle before and after leaves no room for it. Nothing
/// where that is most of the capture, or no packets are known.
std::optional<TimePlot> transferRatePlot(const ConnectionDetail& detail, const ClockPair& clock);

/// Adds the mean goodput before and after each measured change, with its 95 % confidence interval, to a rate plot that
/// begins with the history.
void addMeans(TimePlot& rates, const ReportedConnection& connection);

/// Fewer intervals are numbers, not a distribution.
inline constexpr std::size_t kFewestIntervals = 3;
/// Of the bulk side, in RTTs beside those of a Poisson process with the same rate. Nothing below kFewestIntervals.
std::optional<TimePlot> lossIntervalPlot(const ConnectionDetail& detail);

/// Losses of the bulk side; null where none are known.
const LossSummary* lossesOf(const ConnectionDetail& detail);

/// The bulk side's data over the whole observation, each byte once.
struct ObservedTransfer {
  double bytes = 0.0;
  double seconds = 0.0;
  /// From packets: from the first byte to the last, else for the time in which the kernel was polled.
  bool isCaptured = false;

  [[nodiscard]] BitsPerSecond rate() const { return BitsPerSecond(8.0 * bytes / seconds); }
};

/// Nothing without time or data.
std::optional<ObservedTransfer> observedTransfer(const ConnectionDetail& detail);

}  // namespace tcpscope
