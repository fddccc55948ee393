// A paper whose experiments the lab repeats: which runs, what is drawn of them, what the paper prints, and its
// statements. Pure data; the papers are in paper_catalogue.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/session/lab_figures.h"

namespace tcpscope::lab {

/// What differs from one path to the next where each run has a path of its own.
enum class PathDraw : std::uint8_t {
  /// Nothing: every run has the scenario's path.
  none,
  randomRtts,
  /// Of four RTTs, two senders each; only the queue is drawn.
  fourRtts,
};

struct PaperExperiment {
  /// "Experiment 1".
  std::string name;
  std::string scenario;
  /// As `lab run --set`; several values make an axis of the grid.
  std::vector<LabSetting> changes;
  /// Of each of its cells, before those of its grid.
  std::vector<LabSetting> settings;
  /// Runs until its transfers end, however long a run is to be.
  bool runsToItsEnd = false;
  /// The path of each run is drawn from its number (drawnPath); all of them are one cell.
  PathDraw pathDraw = PathDraw::none;
  /// Its congestion control has to be loaded.
  bool needsRoot = false;
};

/// An axis of a scenario's grid that the section shows; others have one value and are left out.
struct PaperAxis {
  std::string key;
  std::string title;
  /// What replaces a value; a value that is not listed stays.
  std::vector<std::pair<std::string, std::string>> values;
};

struct PlotBound {
  double value = 0.0;
  std::string label;
};

enum class PaperPlotKind : std::uint8_t {
  /// The mean of each cell.
  means,
  /// Every run of each cell by its number, with quantiles and the paper's summary beside them.
  runs,
};

struct PaperPlot {
  std::string title;
  /// Keys of figures, each with the name of its series where there are several.
  std::vector<std::pair<std::string, std::string>> figures;
  std::string yLabel;
  /// Not where the x axis has no order.
  bool joinsPoints = true;
  /// What the figures are divided by.
  double unit = 1.0;
  /// Bars of one standard deviation instead of the mean's interval.
  bool showsDeviation = false;
  std::optional<PlotBound> bound = std::nullopt;
  PaperPlotKind kind = PaperPlotKind::means;
};

/// Which value of an axis is best: where the figure is highest.
struct PaperOptimum {
  /// Title of an axis.
  std::string axis;
  std::string figure;
  /// "link utilization × Jain's fairness index".
  std::string name;
};

/// A figure or a table of the paper, or what belongs together of several.
struct PaperSection {
  /// "Figure 7".
  std::string name;
  std::string title;
  /// What the paper prints.
  std::string printed;
  /// What differs here, and how to read it.
  std::string remark;
  std::vector<PaperExperiment> experiments;
  std::vector<PaperAxis> axes;
  std::string xLabel;
  std::vector<PaperPlot> plots;
  /// Figures of the paper, with the settings of our cells: drawn beside them.
  std::vector<LabCell> printedCells;
  /// Draws the intervals between drops beside those of a Poisson process.
  bool drawsLossIntervals = false;
  /// Fits rate = streams × k / RTT to its grid.
  bool fitsRateEquation = false;
  /// Draws the congestion window and the RTT of each experiment's first connection over time.
  bool drawsWindows = false;
  std::optional<PaperOptimum> optimum = std::nullopt;
};

/// One side of a statement: the figure of a cell, or what the paper prints.
struct PaperTerm {
  std::string figure;
  /// All of them, of one cell.
  std::vector<LabSetting> where;
  double factor = 1.0;
  std::optional<double> printed = std::nullopt;
};

struct PaperStatement {
  /// Name of a section.
  std::string section;
  std::string text;
  PaperTerm higher;
  PaperTerm lower;
  /// Where the statement is a range: `higher` is below this, too.
  std::optional<PaperTerm> ceiling = std::nullopt;
};

struct PaperOmission {
  std::string what;
  std::string reason;
};

struct Paper {
  /// "003".
  std::string number;
  std::string title;
  /// Authors, title and sections.
  std::string source;
  /// What is not as in the paper on a kernel of today.
  std::string kernel;
  std::vector<PaperSection> sections;
  std::vector<PaperStatement> statements;
  /// Figures and tables of the paper that are not repeated.
  std::vector<PaperOmission> omissions;
};

}  // namespace tcpscope::lab
