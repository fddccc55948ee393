// What of a metric's past goes to the plot: at most two points a column of pixels, however many samples there are.
//
// Where the samples are fewer than the columns they are drawn as they are; where they are more, each column keeps its
// smallest and largest value (the envelope) and its last. Columns stand on a grid of absolute time, so that a scrolling
// trace does not shimmer.
#pragma once

#include <span>
#include <vector>

#include "core/session/session_snapshot.h"
#include "ui/plots/acquisition.h"
#include "ui/plots/trace_record.h"

namespace tcpscope {

/// Columns of equal length, shared by all points.
struct TraceSamples {
  struct Point {
    Moment time;
    double smallest;
    double largest;
    double last;
  };
  /// In order of time. A point whose values are NaN interrupts the line.
  std::vector<Point> points;
  /// True where points stand for several samples.
  bool decimated = false;
  /// Over the points; NaN where no value is reported.
  double smallest;
  double largest;

  TraceSamples();
};

/// The samples on `screen`, with the neighbour to the left and right of it, so that the line reaches the edges. No
/// points for a metric that the record does not keep. `holes`: the moments before which samples are missing, in order;
/// the line is interrupted there.
TraceSamples sampleTrace(TraceRecord& record, Metric metric, TimeSpan screen, std::size_t columns,
                         std::span<const Moment> holes = {});

/// The moments before which samples are missing, from just before the screen on.
std::vector<Moment> holesOf(std::span<const HistoryEvent> events, TimeSpan screen);

/// How many samples fall into [span.from, span.to].
std::size_t samplesIn(const TraceRecord& record, TimeSpan span);

}  // namespace tcpscope
