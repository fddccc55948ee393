// How sure a verdict is: from how clearly one share leads, and from how much was seen.
//
// At least 0.8 means that a person may act on it. Little data, gaps or a race between two limits stay below.
#pragma once

#include "core/diagnosis/evidence/connection_evidence.h"

namespace tcpscope {

inline constexpr double kConfident = 0.8;

/// From a lead of the first share over the second, 0…1: 0.6 for a tie, 0.8 for a lead of a quarter, 1 for a whole.
double confidenceFromLead(double lead);

/// 1 for a span that says enough, below 0.8 for one that is short, has too few samples, or hides most of itself in one
/// step.
double confidenceInData(const ConnectionEvidence& evidence);

}  // namespace tcpscope
