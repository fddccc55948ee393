// The path's own process, so that no other work of the lab delays its packets.
#pragma once

#include <span>
#include <vector>

#include "app/lab/host/host_namespace.h"
#include "app/lab/scenario/scenario.h"

namespace tcpscope::lab {

/// Carries packets between the hosts until the end of `control` goes, over which its owner changes the path and asks
/// for reports (engine_message.h). Every event is appended to `log` (path_log_file.h). What passes the device of a host
/// is written to the file of that host's number in `captures`, which may be empty; one file more gets what passes the
/// right end of the path. Gives errno where a device fails.
int runPathProcess(const Scenario& scenario, const std::vector<HostNamespace>& hosts, int control, int log,
                   std::span<const OwnedDescriptor> captures);

}  // namespace tcpscope::lab
