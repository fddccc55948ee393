// A plot of measured figures as an SVG file of its own: named points on the x axis, one line a series, with the 95 %
// confidence interval of each mean. Every text is escaped; the colours are distinguishable with colour-vision
// deficiency.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/sample_summary.h"

namespace tcpscope {

struct SvgSeries {
  std::string label;
  /// One a category; absent where nothing was measured.
  std::vector<std::optional<SampleSummary>> values;
};

struct SvgBound {
  double value = 0.0;
  std::string label;
};

struct SvgPlot {
  std::string title;
  std::string xLabel;
  std::string yLabel;
  std::vector<std::string> categories;
  std::vector<SvgSeries> series;
  /// Not where the categories have no order: the marks of a category then stand beside one another.
  bool joinsPoints = true;
  /// Bars of one standard deviation each way instead of the mean's interval.
  bool showsDeviation = false;
  /// Marks at the points; not where they are so many that they hide the line.
  bool marksPoints = true;
  /// A dashed line across, with its name.
  std::optional<SvgBound> bound = std::nullopt;
  /// Powers of ten on the y axis. What is not above zero has no place on it.
  bool isLogarithmic = false;
};

std::string toSvg(const SvgPlot& plot);

}  // namespace tcpscope
