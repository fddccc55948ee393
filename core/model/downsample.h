// A metric's past, reduced to what a plot can show: smallest and largest value a column of pixels.
#pragma once

#include <vector>

#include "core/model/connection_history.h"

namespace tcpscope {

/// One column of pixels; NaN in all three where no reported sample fell into it.
struct PixelColumn {
  /// Begin of the column's span.
  Moment time;
  double smallest = 0.0;
  double largest = 0.0;
  double last = 0.0;
};

/// `columns` equal spans over [from, to), of which each holds the samples from its begin to before the next one's.
/// Empty where `columns` is 0 or `to` is not after `from`. Chunks that fall into one column whole are taken by their
/// range, so that the cost grows with the columns rather than with the samples. A value without limit is infinite.
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
/// Nothing where no sample of the span has a value.
std::optional<SpanSummary> summarize(const ConnectionHistory& history, Metric metric, Moment from, Moment to);

}  // namespace tcpscope
