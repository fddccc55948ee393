// The sending end of one group of connections: one process for all of them.
#pragma once

#include "app/lab/traffic/traffic_plan.h"
#include "app/lab/traffic/transfer_table.h"
#include "core/base/moment.h"

namespace tcpscope::lab {

/// Does what plan.settings say from `runStart` + settings.start on; returns when all its connections are through, which
/// may be never. Runs inside of the sending host. Connections whose sockets cannot be had are left out: whether they
/// can is tried before (openSource).
void runSendingProgram(const TrafficPlan& plan, TransferTable& table, Moment runStart);

}  // namespace tcpscope::lab
