// Learns what the paths of the observed connections carry, from their packets, where this program may capture them.
#pragma once

#include "app/cli/connection_watch.h"

namespace tcpscope {

/// Takes a second or two where there is something to be learned; of this machine's own network namespace only.
void learnCapacities(const CommandOptions& options, ConnectionWatch& watch);

}  // namespace tcpscope
