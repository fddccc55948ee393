// The traces with which the scope begins: those that show what the verdict is about.
#pragma once

#include <vector>

#include "core/model/metric.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

struct UsualTraces {
  /// In the order of the table.
  std::vector<Metric> metrics;
  /// The verdict was sure; else they follow from the direction alone.
  bool areOfVerdict = false;
};

UsualTraces usualTraces(const ConnectionDetail& detail);

/// Without a connection.
std::vector<Metric> usualTraces();

}  // namespace tcpscope
