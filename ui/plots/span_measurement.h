// What an oscilloscope measures of one trace between its cursors: slope, and of what swings frequency and duty cycle.
#pragma once

#include <optional>

#include "core/model/connection_history.h"

namespace tcpscope {

struct SpanMeasurement {
  /// Of the line that fits the samples best (least squares), in the metric's unit per second; absent with fewer than
  /// two samples.
  std::optional<double> slopePerSecond;
  /// Of a value that rises through the middle of its range at least three times; crossings have a hysteresis of a fifth
  /// of the range.
  std::optional<double> frequencyHz;
  /// Of whole periods, the share of the time above the middle; with a frequency only.
  std::optional<double> dutyRatio;
};

/// Over the samples from `from` to `to`, both included; what is not reported or without limit is left out.
SpanMeasurement measureSpan(const ConnectionHistory& history, Metric metric, Moment from, Moment to);

}  // namespace tcpscope
