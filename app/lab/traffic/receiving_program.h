// The receiving end of one group of connections: one process for all of them.
#pragma once

#include "app/lab/traffic/traffic_plan.h"
#include "app/lab/traffic/transfer_table.h"
#include "collectors/system/owned_descriptor.h"

namespace tcpscope::lab {

/// Takes the connections that arrive at `listener` (openListener), reads as plan.settings say, answers requests, and
/// notes in the table what it read. Runs inside of the receiving host and does not return but where nothing can work.
void runReceivingProgram(const TrafficPlan& plan, const OwnedDescriptor& listener, TransferTable& table);

}  // namespace tcpscope::lab
