// The connection filter over connections of a capture: what packets show of a field, and what they do not.
//
// Source is the end that opened the connection, destination the other one.
#pragma once

#include "core/filter/connection_filter.h"

namespace tcpscope {

/// A field of the filter that packets do not show ("process", "snd_cwnd_segments"); nothing where they show all. Such a
/// filter is refused rather than silently matching nothing.
std::optional<std::string> fieldOutsideCaptures(const ConnectionFilter& filter);

/// Only the analysis of a connection decides.
bool asksForLimit(const ConnectionFilter& filter);

/// False where nothing but addresses and ports is needed to leave the connection out.
bool mayMatchCaptured(const ConnectionFilter& filter, const Endpoint& initiator, const Endpoint& responder);
/// `limit`: that of the direction which carries the bulk. The filter has no field outside captures.
bool matchesCaptured(const ConnectionFilter& filter, const Endpoint& initiator, const Endpoint& responder, Limit limit);

}  // namespace tcpscope
