// The RTT of a connection as text, and which of the kernel's two it is.
#pragma once

#include <string>
#include <string_view>

#include "core/model/current_rtt.h"

namespace tcpscope {

/// What follows the figure: " (old)" or nothing.
std::string_view marking(RttSource source);
/// "20.5 ms (old)"
std::string rttText(double seconds, RttSource source);
/// Whose figure it is and of when, for a tooltip.
std::string_view sentence(RttSource source);

}  // namespace tcpscope
