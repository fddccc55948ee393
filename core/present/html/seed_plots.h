// The figures of a paper's section as plots.
#pragma once

#include <vector>

#include "core/present/svg/svg_plot.h"
#include "core/session/seed_comparison.h"

namespace tcpscope::lab {

std::vector<SvgPlot> plotsOf(const SeedSection& section, const MeasuredSection& measured);

/// What the plot of intervals between drops shows, in a sentence; empty without intervals.
std::string dropIntervalSentence(const MeasuredSection& measured);

}  // namespace tcpscope::lab
