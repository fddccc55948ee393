// The RTT of a connection as text.
#pragma once

#include <string>
#include <string_view>

namespace tcpscope {

/// What follows the figure: " (old)" or nothing.
std::string_view ageMarking(bool isOld);
/// "20.5 ms (old)"
std::string rttText(double seconds, bool isOld);
/// What the figure is, for a tooltip.
std::string_view rttExplanation(bool isOld);

}  // namespace tcpscope
