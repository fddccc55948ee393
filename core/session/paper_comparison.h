// A paper's sections as measured here, and its statements judged by them.
#pragma once

#include <span>
#include <string_view>

#include "core/model/connection_history.h"
#include "core/session/paper.h"
#include "core/wire/loss/loss_intervals.h"

namespace tcpscope::lab {

/// A cell of an experiment's campaign with the settings that the section shows. Of single runs it keeps the figures
/// that the section draws run by run.
LabCell comparedCell(const PaperSection& section, const PaperExperiment& experiment, LabCell cell);

enum class StatementOutcome : std::uint8_t {
  /// The 95 % intervals of both means are apart, in the statement's order.
  confirmed,
  /// They are apart in the other order.
  contradicted,
  /// They overlap, or there are not the runs for intervals.
  undecided,
  /// Without both figures.
  notMeasured,
};

std::string_view name(StatementOutcome outcome);

struct WindowPoint {
  /// Since the first sample.
  double seconds = 0.0;
  double cwndSegments = 0.0;
  double rttSeconds = 0.0;
};

/// The congestion window and the RTT of an experiment's first connection, at its sender, in the last run.
struct WindowTrace {
  /// The experiment's settings: "gHSTCP, refined".
  std::string label;
  std::vector<WindowPoint> points;
};

/// Samples without either figure are left out.
WindowTrace windowTraceOf(const ConnectionHistory& sender, std::string label);

/// What was measured for one section.
struct MeasuredSection {
  std::vector<LabCell> cells;
  /// Rate equations fitted to its cells.
  std::vector<std::string> fits;
  /// Where the section draws windows.
  std::vector<WindowTrace> traces;
  /// What a reader must know of its runs.
  std::vector<std::string> notes;
  /// Those that make it again.
  std::vector<std::string> commands;
};

struct PaperComparison {
  Paper paper;
  /// When, where and how long: "2026-11-28 10:00 UTC, Linux 6.18, …".
  std::string conditions;
  /// One a section of the paper, in their order.
  std::vector<MeasuredSection> sections;
};

/// By the cells of its section; a printed value has no width. In the order of the paper's statements.
std::vector<StatementOutcome> judgeStatements(const PaperComparison& comparison);

/// Of the section's cells, merged.
std::vector<double> dropIntervalsOf(const MeasuredSection& section);

/// The value with the highest mean for each combination of the other settings.
struct MeasuredOptimum {
  /// The other settings of its cell.
  std::vector<LabSetting> where;
  std::string best;
  SampleSummary figure;
  /// Other values whose interval overlaps that of the best, or that have none: not known to be worse.
  std::vector<std::string> notApart;
};

/// Empty where the section has no optimum, or nothing was measured.
std::vector<MeasuredOptimum> optimaOf(const PaperSection& section, const MeasuredSection& measured);

/// Late runs were left out, and no run of any section has figures.
bool isWithoutFigures(const PaperComparison& comparison);
/// Did any run of it give a figure?
bool hasFigures(const MeasuredSection& section);
bool hasFigures(const PaperComparison& comparison);

}  // namespace tcpscope::lab
