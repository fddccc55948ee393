// The traces with which the scope begins: those that show what the verdict is about.
#pragma once

#include <vector>

#include "core/model/metric.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

/// In the order of the table. By direction alone while the verdict is not sure.
std::vector<Metric> usualTraces(const ConnectionDetail& detail);

/// Without a connection.
std::vector<Metric> usualTraces();

}  // namespace tcpscope
