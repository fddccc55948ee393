// The verdict of a side: which limit held over the span, why, and the confidence.
//
// The shares of the span (limit_timeline.h) name the limit; windows, buffers, loss and delay name the cause. Where no
// share leads, or only the peer could know, the limit is unknown and the candidates are named: a wrong verdict is worse
// than none.
#pragma once

#include "core/diagnosis/evidence/connection_evidence.h"

namespace tcpscope {

/// Evidence costs memory: the list leaves it out.
enum class WithEvidence : std::uint8_t { no, yes };

/// From evidence whose limits were timed at this end: by the sender's or the receiver's kernel.
Verdict sendingVerdict(const ConnectionEvidence& evidence, WithEvidence with);
Verdict receivingVerdict(const ConnectionEvidence& evidence, WithEvidence with);

/// The verdict of exchanges whose requests wait for acknowledgments of their own pieces: neither shares of time nor a
/// lead say more than how often. Nothing where they do not, or seldom.
std::optional<Verdict> smallWritesVerdict(const ConnectionEvidence& sending, WithEvidence with);

}  // namespace tcpscope
