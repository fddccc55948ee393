// Every bound that is known for a side, each with its rate or the reason why it has none.
//
// Adding a model: an enumerator of BoundModel, a function from input to Bound, one row in the array.
#pragma once

#include <vector>

#include "core/diagnosis/bounds/bound.h"
#include "core/diagnosis/evidence/connection_evidence.h"

namespace tcpscope {

/// Bounds of the data that `evidence.side` carries, in the order of BoundModel. What the other end alone knows is left
/// out.
std::vector<Bound> boundsOf(const ConnectionEvidence& evidence, const Verdict& verdict);

}  // namespace tcpscope
