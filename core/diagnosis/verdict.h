// The one answer for a side: which limit held over the span, why, how sure.
//
// The shares of the span (see limit_timeline.h) name the limit; a look at windows, buffers, loss and delay names the
// cause. Where no share leads, or the answer lies with the other end, the limit is unknown and the candidates are
// named: a wrong verdict is worse than none.
#pragma once

#include "core/diagnosis/connection_diagnosis.h"

namespace tcpscope {

/// Evidence costs memory: the list leaves it out.
enum class WithEvidence : std::uint8_t { no, yes };

Verdict sendingVerdict(const SocketObservation& socket, const WindowStatistics& window, WithEvidence evidence);
Verdict receivingVerdict(const SocketObservation& socket, const WindowStatistics& window, WithEvidence evidence);

}  // namespace tcpscope
