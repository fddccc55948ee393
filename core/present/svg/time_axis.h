// The horizontal axis of a plot: time by the clock on the wall where that is known, else since the beginning; of
// intervals between losses, RTTs on a logarithmic scale.
#pragma once

#include <string>
#include <vector>

#include "core/present/svg/time_plot.h"

namespace tcpscope {

struct AxisTick {
  /// As TimePlot::seconds.
  double position = 0.0;
  std::string label;
};

struct HorizontalAxis {
  std::vector<AxisTick> ticks;
  /// Unit, date and zone, once.
  std::string caption;
};

/// Few enough ticks for their labels to have room beside each other.
HorizontalAxis horizontalAxis(const TimePlot& plot);

/// A position on the axis as a table names it: "13:48:10.5", "20.0 ms", "0.1 RTT".
std::string positionText(const TimePlot& plot, double position);

}  // namespace tcpscope
