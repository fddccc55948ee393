// The figures of a paper's section as plots.
#pragma once

#include <vector>

#include "core/present/svg/svg_plot.h"
#include "core/session/paper_comparison.h"

namespace tcpscope::lab {

/// Of means; those run by run are in paper_distribution.h.
std::vector<SvgPlot> plotsOf(const PaperSection& section, const MeasuredSection& measured);

/// An SVG element that is 800 wide.
struct PaperPicture {
  std::string svg;
  double height = 0.0;
};
/// Where a picture stands alone, its table is part of it; a page has tables of its own.
enum class PictureTable : std::uint8_t { drawn, leftOut };
/// All figures of the section.
std::vector<PaperPicture> picturesOf(const PaperSection& section, const MeasuredSection& measured, PictureTable table);

/// "Best by …: 8 streams (0.83 ± 0.02; link 100 Mbit/s); not apart from it: 4, 12."
std::string optimumSentence(const PaperSection& section, const MeasuredOptimum& optimum);

/// What the plot of intervals between drops shows, in a sentence; empty without intervals.
std::string dropIntervalSentence(const MeasuredSection& measured);

}  // namespace tcpscope::lab
