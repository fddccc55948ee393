// How much a verdict needs attention: the order of the live list.
//
// Not a judgement of the transfer: how fast it should be only its user knows. What stands still comes before what a
// setting limits, that before what the path limits, and all that before what waits for its program.
#pragma once

#include "core/session/session_snapshot.h"

namespace tcpscope {

/// After the first sample: before, most verdicts are not sure.
inline constexpr Nanoseconds kUntilVerdicts = std::chrono::seconds(5);

/// The highest where nothing moves any more.
inline constexpr std::uint8_t kStandsStill = 4;

/// kStandsStill, or a FindingSeverity plus 1; 0 where nothing is to be done, and for a verdict that is not sure.
std::uint8_t severityOf(const ConnectionFacts& facts, const ConnectionFigures& figures);

/// Of what the snapshot lists the worst one on which data moves or which stands still, of equal ones the fastest; never
/// one that is over.
std::optional<ConnectionId> worstOf(const SessionSnapshot& snapshot);

}  // namespace tcpscope
