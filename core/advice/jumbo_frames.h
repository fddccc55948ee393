// Loss sets the rate, and each loss costs as many packets whatever their size: larger ones carry more. Mathis, PFTK,
// CUBIC and HighSpeed TCP all give a window in segments, so that the rate goes with the segment's size.
//
// "Increasing the MTU by a factor of six can increase TCP bandwidth by a factor of six" (Web100 and the Visible Human
// project, section 1.1): where every link of the path carries it, and where the path has the room.
#pragma once

#include "core/advice/advice.h"

namespace tcpscope::remedies {

std::optional<Remedy> jumboFrames(const AdviceInput& input);

}  // namespace tcpscope::remedies
