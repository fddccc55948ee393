// A plot of a report: figures over time, or what held over time as a strip of shares. Describes what is drawn, not the
// style; the same plot is rendered as SVG, on a page of a PDF, and as a table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/moment.h"
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

enum class PlotTraceStyle : std::uint8_t {
  line,
  /// A mark at each point.
  points,
  /// From each point to the next, which is the last one's end.
  bars,
};

struct PlotTrace {
  std::string label;
  /// In order of time; two of the same moment are the smallest and the largest there.
  std::vector<PlotPoint> points;
  PlotTraceStyle style = PlotTraceStyle::line;
  /// What could be, not what was: one far above everything measured does not stretch the axis, and is named beside it.
  bool isBound = false;
  /// Of a rate: bits since the plot's beginning, up to the last sample. A table gives means of it: a single sample of a
  /// rate says little about the time between two rows.
  std::vector<PlotPoint> totals{};
  /// Of events: how many happened at which time, where `points` leaves out those too close to be drawn.
  std::vector<PlotPoint> counts{};
  /// Where what it shows ended before the plot does: nothing is known after it.
  std::optional<double> endSeconds{};
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

/// Behind the traces: an interval of values for some time.
struct PlotBand {
  double fromSeconds = 0.0;
  double toSeconds = 0.0;
  double low = 0.0;
  double high = 0.0;
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
  std::vector<PlotBand> bands{};
  /// At 0 s; absent where the time of day is not known.
  std::optional<WallTime> begin{};
  /// The axis is no time but intervals in RTTs: `seconds` are decades from this power of ten.
  std::optional<double> firstDecade{};
  /// Of the axes, as kPlotWidth; 0 for the usual one.
  double axesHeight = 0.0;

  [[nodiscard]] bool isStrip() const { return !limits.empty(); }
};

inline constexpr double kPlotWidth = 720.0;
/// Of its axes alone.
double axesHeight(const TimePlot& plot);
double plotHeight(const TimePlot& plot);

/// Within kPlotWidth and plotHeight(); letters are kPlotLetters high.
void draw(const TimePlot& plot, PlotCanvas& canvas);
inline constexpr double kPlotLetters = 12.0;

/// Newest value of the trace at or before a moment; nothing before its first.
std::optional<double> valueAt(const PlotTrace& trace, double seconds);
/// Mean of a rate's totals between two moments; nothing after its last sample.
std::optional<double> meanWithin(const PlotTrace& trace, double from, double to);
/// Sum of the slices' shares.
LimitShares sharesOf(const TimePlot& plot);

}  // namespace tcpscope
