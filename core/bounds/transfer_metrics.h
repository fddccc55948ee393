// The metrics by which RFC 6349 judges a transfer, from what the kernel counts. Nothing where it does not count.
#pragma once

#include <optional>

#include "core/diagnosis/connection_diagnosis.h"

namespace tcpscope {

/// §4.1: time taken over the time that the line rate would take; both must be above zero.
double transferTimeRatio(double actualSeconds, double idealSeconds);
/// §4.2: share of the bytes sent that did not have to be sent again, since the connection began, 0…1.
std::optional<double> efficiencyRatio(const TcpInfoSample& info);
/// §4.3: by how much the mean round trip of the span exceeds the shortest, as a share of it.
std::optional<double> bufferDelayRatio(const SocketObservation& socket, const WindowStatistics& window);

}  // namespace tcpscope
