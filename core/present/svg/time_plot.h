// A plot of a report: figures over time, or what held over time as a strip of shares. Describes what is drawn, not the
// style; the same plot is rendered as SVG, on a page of a PDF, and as a table.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/diagnosis/limits/limit.h"
#include "core/present/svg/axis_scale.h"
#include "core/present/svg/plot_canvas.h"

namespace tcpscope {

struct PlotPoint {
  /// Since the plot's beginning.
  double seconds = 0.0;
  /// In the quantity's base unit.
  double value = 0.0;
};

struct PlotTrace {
  std::string label;
  /// In order of time; two of the same moment are the smallest and the largest there.
  std::vector<PlotPoint> points;
};

struct LimitSlice {
  double fromSeconds = 0.0;
  double toSeconds = 0.0;
  LimitShares shares;
};

/// Something that happened at a moment: a line across the plot.
struct PlotMark {
  double seconds = 0.0;
  std::string label;
};

struct TimePlot {
  std::string title;
  /// The same in words, for screen readers.
  std::string sentence;
  PlotQuantity quantity = PlotQuantity::rate;
  double seconds = 0.0;
  /// At most kPlotTraces; empty for a strip.
  std::vector<PlotTrace> traces;
  std::vector<LimitSlice> limits;
  std::vector<PlotMark> marks;

  [[nodiscard]] bool isStrip() const { return !limits.empty(); }
};

inline constexpr double kPlotWidth = 720.0;
double plotHeight(const TimePlot& plot);

/// Within kPlotWidth and plotHeight(); letters are kPlotLetters high.
void draw(const TimePlot& plot, PlotCanvas& canvas);
inline constexpr double kPlotLetters = 12.0;

/// Newest value of the trace at or before a moment; nothing before its first.
std::optional<double> valueAt(const PlotTrace& trace, double seconds);
/// Sum of the slices' shares.
LimitShares sharesOf(const TimePlot& plot);

}  // namespace tcpscope
