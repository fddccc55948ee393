// What the counters of a run say: goodput, utilization, fairness, completion. Pure: two looks at the counters in,
// figures out.
#pragma once

#include "app/lab/engine/lab_process.h"
#include "core/session/lab_figures.h"

namespace tcpscope::lab {

/// Two looks at the counters, and the time between them.
struct MeasuredSpan {
  const LabResult& before;
  const LabResult& after;
  Nanoseconds length;
};

/// Traffic that has an end and reached it is measured from its first start to its last finish, other traffic over the
/// span; drops and marks count from the start. Hosts are measured over the same time as all of the traffic.
LabFigures figuresOf(const Scenario& scenario, const MeasuredSpan& span);

/// Has every connection of the traffic come to an end? False where some of it has none.
bool isComplete(const Scenario& scenario, const LabResult& result);

/// RTT between two hosts without any queue.
Nanoseconds baseRtt(const PathSettings& path, std::string_view from, std::string_view to);

}  // namespace tcpscope::lab
