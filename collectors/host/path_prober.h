// Probes the path to another host: which routers it has, and how large a packet may be. Sends at most
// PathWalk::kMostProbes UDP packets to closed ports of the target, so only where the user asked for it. Needs no right:
// the kernel hands the routers' answers to the socket that sent (ip(7), IP_RECVERR).
#pragma once

#include <stop_token>

#include "core/base/expected.h"
#include "core/base/system_error.h"
#include "core/host/path_reading.h"

namespace tcpscope {

/// Takes some seconds, half a minute without answers; on a stop request returns what it found until then. Fails where
/// this host has no route.
Expected<PathReading, SystemError> probePath(const IpAddress& target, const std::stop_token& stop = {});

}  // namespace tcpscope
