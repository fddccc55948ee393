// A metric's past, reduced to what a plot can show: smallest and largest value a column of pixels.
#pragma once

#include <vector>

#include "core/history/connection_history.h"

namespace tcpscope {

/// One column of pixels; NaN, NaN where no sample fell into it.
struct PixelColumn {
  Moment time;
  double smallest = 0.0;
  double largest = 0.0;
  double last = 0.0;
};

/// `columns` equal spans over [from, to). Chunks that fall into one column whole are taken by their range.
std::vector<PixelColumn> downsample(const ConnectionHistory& history, Metric metric, Moment from, Moment to,
                                    std::size_t columns);

/// n, smallest, largest, mean and last of the reported samples in [from, to].
struct SpanSummary {
  std::size_t count = 0;
  double smallest = 0.0;
  double largest = 0.0;
  double mean = 0.0;
  double last = 0.0;
};
std::optional<SpanSummary> summarize(const ConnectionHistory& history, Metric metric, Moment from, Moment to);

}  // namespace tcpscope
