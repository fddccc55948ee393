#include "core/session/paper_comparison.h"

#include <algorithm>
#include <cmath>

namespace tcpscope::lab {

namespace {

bool matches(const LabCell& cell, const std::vector<LabSetting>& where) {
  return std::all_of(where.begin(), where.end(), [&](const LabSetting& expected) {
    return std::any_of(cell.settings.begin(), cell.settings.end(), [&](const LabSetting& setting) {
      return setting.key == expected.key && setting.value == expected.value;
    });
  });
}

/// The mean and its interval; a printed value is both of its ends.
std::optional<SampleSummary> valueOf(const MeasuredSection& section, const PaperTerm& term) {
  if (term.printed) {
    SampleSummary printed;
    printed.mean = *term.printed;
    printed.meanInterval95 = Interval{*term.printed, *term.printed};
    return printed;
  }
  for (const LabCell& cell : section.cells) {
    const SampleSummary* const figure = matches(cell, term.where) ? cell.figure(term.figure) : nullptr;
    if (figure != nullptr) return scaled(*figure, term.factor);
  }
  return std::nullopt;
}

StatementOutcome outcomeOf(const std::optional<SampleSummary>& higher, const std::optional<SampleSummary>& lower) {
  if (!higher || !lower) return StatementOutcome::notMeasured;
  if (!higher->meanInterval95 || !lower->meanInterval95) return StatementOutcome::undecided;
  if (higher->meanInterval95->low > lower->meanInterval95->high) return StatementOutcome::confirmed;
  if (higher->meanInterval95->high < lower->meanInterval95->low) return StatementOutcome::contradicted;
  return StatementOutcome::undecided;
}

/// Of both ends of a range.
StatementOutcome bothOf(StatementOutcome one, StatementOutcome other) {
  for (const StatementOutcome outcome :
       {StatementOutcome::notMeasured, StatementOutcome::contradicted, StatementOutcome::undecided}) {
    if (one == outcome || other == outcome) return outcome;
  }
  return StatementOutcome::confirmed;
}

/// Values of the axis with their figures, where all other settings are the same.
struct CandidateGroup {
  std::vector<LabSetting> where;
  std::vector<std::pair<std::string, SampleSummary>> candidates;
};

bool isSameSettings(const std::vector<LabSetting>& one, const std::vector<LabSetting>& other) {
  return std::ranges::equal(one, other, [](const LabSetting& first, const LabSetting& second) {
    return first.key == second.key && first.value == second.value;
  });
}

MeasuredOptimum optimumOf(const CandidateGroup& group) {
  const auto& [best, figure] = *std::ranges::max_element(
      group.candidates, [](const auto& one, const auto& other) { return one.second.mean < other.second.mean; });
  MeasuredOptimum optimum{group.where, best, figure, {}};
  for (const auto& [value, other] : group.candidates) {
    const bool isApart =
        figure.meanInterval95 && other.meanInterval95 && other.meanInterval95->high < figure.meanInterval95->low;
    if (value != best && !isApart) optimum.notApart.push_back(value);
  }
  return optimum;
}

bool drawsRunsOf(const PaperSection& section, const std::string& figure) {
  return std::ranges::any_of(section.plots, [&](const PaperPlot& plot) {
    return plot.kind == PaperPlotKind::runs &&
           std::ranges::any_of(plot.figures, [&](const auto& drawn) { return drawn.first == figure; });
  });
}

}  // namespace

std::string_view name(StatementOutcome outcome) {
  switch (outcome) {
    case StatementOutcome::confirmed:
      return "confirmed";
    case StatementOutcome::contradicted:
      return "contradicted";
    case StatementOutcome::undecided:
      return "undecided";
    case StatementOutcome::notMeasured:
      break;
  }
  return "not measured";
}

WindowTrace windowTraceOf(const ConnectionHistory& sender, std::string label) {
  WindowTrace trace{std::move(label), {}};
  if (sender.empty()) return trace;
  const Moment first = *sender.firstTime();
  for (const auto& chunk : sender.chunks()) {
    for (std::size_t index = 0; index < chunk->size(); ++index) {
      const double cwnd = chunk->value(Metric::sndCwnd, index);
      const double rttMicroseconds = chunk->value(Metric::rtt, index);
      if (!std::isfinite(cwnd) || !std::isfinite(rttMicroseconds)) continue;
      trace.points.push_back({toSeconds(chunk->time(index) - first), cwnd, rttMicroseconds * 1e-6});
    }
  }
  return trace;
}

LabCell comparedCell(const PaperSection& section, const PaperExperiment& experiment, LabCell cell) {
  std::vector<LabSetting> settings = experiment.settings;
  for (const PaperAxis& axis : section.axes) {
    for (const LabSetting& setting : cell.settings) {
      if (setting.key != axis.key) continue;
      const auto replaced = std::find_if(axis.values.begin(), axis.values.end(),
                                         [&](const auto& value) { return value.first == setting.value; });
      settings.push_back({axis.title, replaced == axis.values.end() ? setting.value : replaced->second});
    }
  }
  cell.settings = std::move(settings);
  std::erase_if(cell.runValues, [&](const auto& one) { return !drawsRunsOf(section, one.first); });
  return cell;
}

std::vector<StatementOutcome> judgeStatements(const PaperComparison& comparison) {
  std::vector<StatementOutcome> outcomes;
  for (const PaperStatement& statement : comparison.paper.statements) {
    StatementOutcome outcome = StatementOutcome::notMeasured;
    for (std::size_t number = 0; number < comparison.sections.size(); ++number) {
      if (comparison.paper.sections[number].name != statement.section) continue;
      const MeasuredSection& section = comparison.sections[number];
      const std::optional<SampleSummary> value = valueOf(section, statement.higher);
      outcome = outcomeOf(value, valueOf(section, statement.lower));
      if (statement.ceiling) outcome = bothOf(outcome, outcomeOf(valueOf(section, *statement.ceiling), value));
    }
    outcomes.push_back(outcome);
  }
  return outcomes;
}

std::vector<double> dropIntervalsOf(const MeasuredSection& section) {
  std::vector<double> merged;
  for (const LabCell& cell : section.cells) {
    merged.insert(merged.end(), cell.dropIntervalsRtt.begin(), cell.dropIntervalsRtt.end());
  }
  return merged;
}

std::vector<MeasuredOptimum> optimaOf(const PaperSection& section, const MeasuredSection& measured) {
  if (!section.optimum) return {};
  std::vector<CandidateGroup> groups;
  for (const LabCell& cell : measured.cells) {
    const SampleSummary* const figure = cell.figure(section.optimum->figure);
    if (figure == nullptr) continue;
    std::vector<LabSetting> where = cell.settings;
    const auto axis = std::find_if(where.begin(), where.end(),
                                   [&](const LabSetting& one) { return one.key == section.optimum->axis; });
    if (axis == where.end()) continue;
    const std::string value = axis->value;
    where.erase(axis);
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const CandidateGroup& one) { return isSameSettings(one.where, where); });
    if (group == groups.end()) group = groups.insert(groups.end(), {where, {}});
    group->candidates.emplace_back(value, *figure);
  }
  std::vector<MeasuredOptimum> optima;
  optima.reserve(groups.size());
  for (const CandidateGroup& group : groups) optima.push_back(optimumOf(group));
  return optima;
}

bool isWithoutFigures(const PaperComparison& comparison) {
  std::vector<LabCell> cells;
  for (const MeasuredSection& section : comparison.sections) {
    cells.insert(cells.end(), section.cells.begin(), section.cells.end());
  }
  return isWithoutFigures(cells);
}

bool hasFigures(const MeasuredSection& section) {
  return std::ranges::any_of(section.cells, [](const LabCell& cell) { return !cell.figures.empty(); });
}

bool hasFigures(const PaperComparison& comparison) {
  return std::ranges::any_of(comparison.sections, [](const MeasuredSection& section) { return hasFigures(section); });
}

}  // namespace tcpscope::lab
