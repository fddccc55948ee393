// Evaluates a filter for a connection of which only the addresses and ports can be trusted: a socket that was first
// seen when it was already closed, whose state and figures are no longer those of its life.
#pragma once

#include "core/filter/connection_filter.h"

namespace tcpscope {

/// False where no state, figure or owner could make the filter match a connection with these addresses and ports. True
/// for the null filter, which matches everything.
bool addressesMayMatch(const FilterPointer& root, const FilterSubject& subject);

}  // namespace tcpscope
