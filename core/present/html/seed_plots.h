// The figures of a paper's section as plots.
#pragma once

#include <vector>

#include "core/present/svg/svg_plot.h"
#include "core/session/seed_comparison.h"

namespace tcpscope::lab {

std::vector<SvgPlot> plotsOf(const SeedSection& section, const MeasuredSection& measured);

/// What the plot of intervals between drops shows, in a sentence; empty without intervals.
/// "Best by …: 8 streams (0.83 ± 0.02; link 100 Mbit/s); not apart from it: 4, 12."
std::string optimumSentence(const SeedSection& section, const MeasuredOptimum& optimum);

std::string dropIntervalSentence(const MeasuredSection& measured);

}  // namespace tcpscope::lab
