// The checks of the processors' work on packets that came.
#pragma once

#include "core/host/host_checkup.h"

namespace tcpscope {

void addProcessorChecks(std::vector<CheckRow>& rows, const HostReading& before, const HostReading& after);

}  // namespace tcpscope
