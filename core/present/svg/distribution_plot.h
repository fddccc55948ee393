// Every run of several experiments as an SVG file of its own: one point a run by its number, and beside the points a
// box of their quantiles and the summary that a paper prints. Every text is escaped; series differ in shape and colour.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/sample_summary.h"

namespace tcpscope {

struct DistributionPoint {
  /// Number of the run.
  double x = 0.0;
  double y = 0.0;
};

struct DistributionSeries {
  std::string label;
  /// In order of x. Values that are not finite are not drawn.
  std::vector<DistributionPoint> points;
  /// Mean, standard deviation and median as a paper prints them.
  std::optional<SampleSummary> printed;
};

struct DistributionPlot {
  std::string title;
  std::string xLabel;
  std::string yLabel;
  std::vector<DistributionSeries> series;
  /// Rows of cells below the plot, the first of them titles; empty for none.
  std::vector<std::vector<std::string>> table;
};

struct Quantiles {
  double fifth = 0.0;
  double lowerQuartile = 0.0;
  double median = 0.0;
  double upperQuartile = 0.0;
  double ninetyFifth = 0.0;
};
/// Between two values by linear interpolation (type 7 of Hyndman and Fan 1996); nothing without finite values.
std::optional<Quantiles> quantilesOf(std::span<const DistributionPoint> points);

/// Of the picture, which is 800 wide.
double heightOf(const DistributionPlot& plot);
std::string toSvg(const DistributionPlot& plot);

}  // namespace tcpscope
