// A router's record of its drops in words.
#pragma once

#include <string>
#include <vector>

#include "core/wire/loss/drop_log.h"
#include "core/wire/loss/loss_summary.h"

namespace tcpscope {

/// "line 7: 'time_s' is no time; …": where, what is wrong, what is right there.
std::string sentence(const DropLogError& error);

/// "forward: 164 drops in 29.4 s", then a line a figure: kinds, loss events, shares within 0.01 and 1 RTT beside
/// those of a Poisson process. `losses` are of the link's drops.
std::vector<std::string> linesOf(const DropsOfLink& link, const LossSummary& losses);

}  // namespace tcpscope
