// A measurement whose sending end is another host, through the user's own ssh: tcpscope-cli there probes a listener and
// reports in JSON. It stops there when the connection of ssh ends.
#pragma once

#include <string>

#include "app/probe/probe_target.h"
#include "core/wire/probe/probe_analysis.h"

namespace tcpscope {

/// What is sent, as the command line takes it.
struct ProbeAmount {
  BitsPerSecond rate = kDefaultProbeRate;
  Nanoseconds time = kDefaultProbeTime;
};

/// `listener`: HOST:PORT as `from` reaches it. Blocks for the time and two minutes at most. Or why it was not measured,
/// in words, escaped for a terminal. `wakeDescriptor`: readable once it is to end; negative where there is none.
Expected<ProbeAnalysis, std::string> probeFrom(const ProbeTarget& from, const std::string& listener,
                                               const ProbeAmount& amount, int wakeDescriptor);

}  // namespace tcpscope
