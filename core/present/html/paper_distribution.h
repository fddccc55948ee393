// A section's figure run by run: the plot, and the table of what it comes down to, ours beside what the paper prints.
#pragma once

#include <string>
#include <vector>

#include "core/present/svg/distribution_plot.h"
#include "core/session/paper_comparison.h"

namespace tcpscope::lab {

/// Without its table. Of the first figure that is drawn.
DistributionPlot distributionOf(const PaperSection& section, const PaperPlot& drawn, const MeasuredSection& measured);

/// The first row are titles: number of runs, mean, standard deviation, 95 % interval of the mean, median. A figure that
/// is not known is "–".
std::vector<std::vector<std::string>> distributionTable(const PaperSection& section, const PaperPlot& drawn,
                                                        const MeasuredSection& measured);

}  // namespace tcpscope::lab
