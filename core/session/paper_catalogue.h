// THE list of papers whose experiments the lab repeats. A new one is a function here and its file.
#pragma once

#include <span>
#include <string_view>

#include "core/session/paper.h"

namespace tcpscope::lab {

/// "A Comparison of TCP Automatic Tuning Techniques for Distributed Computing" (Weigle, Feng).
Paper bufferTuningPaper();
/// "Experiences Using Web100 for End-To-End Network Performance Tuning" (Hacker, Athey, Sommerfield).
Paper web100Paper();
/// "Experimental Evaluations of Gentle HighSpeed TCP for Long-Fat Networks" (Zhang, Hasegawa, Murata).
Paper gentlePaper();
/// "Packet Loss Burstiness: Measurements and Implications for Distributed Applications" (Wei, Cao, Low).
Paper lossBurstPaper();

/// In the order of their numbers.
std::span<const Paper> paperCatalogue();
/// Null where no paper has this number.
const Paper* findPaper(std::string_view number);

/// Runs that draw their path (`random_paths`): the RTT of each sender between 2 and 200 ms, or 2, 10, 50 and 200 ms for
/// two of them each, and a queue of 1/8 to 2 bandwidth-delay products of their mean. The same number gives the same
/// path.
std::vector<LabSetting> drawnPath(PathDraw draw, std::uint64_t number);

}  // namespace tcpscope::lab
