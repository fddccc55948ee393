// One metric against another: the points of both at the same moments.
#pragma once

#include <vector>

#include "ui/feed/selection.h"
#include "ui/plots/trace_record.h"

namespace tcpscope {

struct XyPoint {
  /// In the metrics' base units.
  double x;
  double y;
  bool operator==(const XyPoint&) const = default;
};

/// More are thinned out evenly: a screen has no room for them.
inline constexpr std::size_t kMostXyPoints = 50'000;

/// In order of time; without the samples in which one of the two is not known or not finite. The record keeps both.
std::vector<XyPoint> xySamples(const TraceRecord& record, Metric x, Metric y, TimeSpan span);

}  // namespace tcpscope
