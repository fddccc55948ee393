// What a probe found, in words, and why one could not be made.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/untrusted_text.h"
#include "core/wire/probe/probe_analysis.h"
#include "core/wire/probe/probe_error.h"

namespace tcpscope {

/// "Losses come in bursts: 62.0 % of them are within one RTT of the previous one; of a Poisson process with the same
/// rate 9.1 % would be."
std::string sentence(const ProbeAnalysis& analysis);
/// "the sending host did not keep the rate"
std::string_view reason(ProbeFault fault);
/// "Lost: 233 of 46,875 packets of 48 bytes (0.5 %)."
std::string sentence(const ProbeRunFigures& run);
/// What is to be sent: "two runs of 2 min 30 s, a packet of 48 or 400 bytes each 3.20 ms: 120 kbit/s, then 1.00
/// Mbit/s".
std::string planText(const std::array<ProbeRunPlan, 2>& plan);
/// What a person agrees to before the start, with sizes: "a UDP packet each 3.20 ms for 5 min, first of 48 bytes (120
/// kbit/s), then of 400 bytes (1.00 Mbit/s): 93,750 packets, 20.0 MiB".
std::string amountText(const std::array<ProbeRunPlan, 2>& plan);
/// In a table: "bursts", "at random", "rejected: the sending host did not keep the rate".
std::string shortVerdict(const ProbeAnalysis& analysis);
/// `host`: the other end. Says what to do.
std::string sentence(const ProbeError& error, const UntrustedText& host);

}  // namespace tcpscope
