#include "app/lab/run/paper_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/lab/run/campaign_notes.h"
#include "app/lab/scenario/scenario_catalogue.h"
#include "app/lab/scenario/scenario_parser.h"
#include "core/present/text/lab_text.h"
#include "core/session/paper_catalogue.h"

namespace tcpscope::lab {

namespace {

using PlanFailure = Unexpected<ScenarioError>;

constexpr std::size_t kPathsUnlessAsked = 16;

std::vector<LabSetting> changesOf(const PaperExperiment& experiment, const PaperRunOptions& options) {
  std::vector<LabSetting> changes = experiment.changes;
  if (options.forSeconds && !experiment.runsToItsEnd) {
    changes.push_back({"duration", fmt::format("{:.3f} s", *options.forSeconds)});
  }
  if (experiment.pathDraw != PathDraw::none) {
    changes.push_back({"repeats", "1"});
  } else if (options.repeats) {
    changes.push_back({"repeats", std::to_string(*options.repeats)});
  }
  return changes;
}

Expected<Scenario, ScenarioError> scenarioWith(const std::string& scenario, const std::vector<LabSetting>& settings) {
  std::vector<Assignment> assignments;
  for (const LabSetting& setting : settings) {
    const bool isList = setting.value.find(',') != std::string::npos;
    assignments.push_back({(isList ? "sweep." : "") + setting.key, setting.value});
  }
  return parseScenario(findScenario(scenario)->text, assignments);
}

/// `lab run` with the same settings.
std::string commandOf(const PaperExperiment& experiment, const std::vector<LabSetting>& changes,
                      const PaperRunOptions& options, bool isDrawn) {
  std::string command =
      fmt::format("{}tcpscope-cli lab run {}", experiment.needsRoot ? "sudo " : "", experiment.scenario);
  for (const LabSetting& change : changes) command += fmt::format(" --set '{}={}'", change.key, change.value);
  if (options.forSeconds && !experiment.runsToItsEnd) command += fmt::format(" --for {:g}", *options.forSeconds);
  if (options.repeats && !isDrawn) command += fmt::format(" --repeat {}", *options.repeats);
  if (isDrawn) command += " --repeat 1";
  return command;
}

Expected<PaperCampaign, ScenarioError> planExperiment(std::size_t section, const PaperExperiment& experiment,
                                                      const PaperRunOptions& options) {
  PaperCampaign campaign{section, experiment, {}, {}};
  const bool drawsPaths = experiment.pathDraw != PathDraw::none;
  const std::size_t paths = drawsPaths ? options.repeats.value_or(kPathsUnlessAsked) : 1;
  for (std::size_t number = 1; number <= paths; ++number) {
    std::vector<LabSetting> drawn = experiment.changes;
    std::vector<LabSetting> changes = changesOf(experiment, options);
    if (drawsPaths) {
      const std::vector<LabSetting> path = drawnPath(experiment.pathDraw, number);
      drawn.insert(drawn.end(), path.begin(), path.end());
      changes.insert(changes.end(), path.begin(), path.end());
    }
    auto scenario = scenarioWith(experiment.scenario, changes);
    if (!scenario) return PlanFailure(scenario.error());
    campaign.scenarios.push_back(std::move(*scenario));
    campaign.commands.push_back(commandOf(experiment, drawn, options, drawsPaths));
  }
  return campaign;
}

class PaperRunner {
public:
  PaperRunner(const Paper& paper, const WaitUntil& waitUntil, const RunEnded& runEnded, const CampaignRun& campaignRun)
      : m_runEnded(runEnded), m_campaignRun(campaignRun) {
    m_comparison.paper = paper;
    m_comparison.sections.resize(paper.sections.size());
    m_waitUntil = [this, &waitUntil](Moment moment) {
      const bool goesOn = waitUntil(moment);
      m_interrupted = m_interrupted || !goesOn;
      return goesOn;
    };
  }

  PaperComparison run(const std::vector<PaperCampaign>& campaigns) {
    for (const PaperCampaign& campaign : campaigns) {
      MeasuredSection& section = m_comparison.sections[campaign.section];
      if (m_interrupted) {
        section.notes.push_back(campaign.experiment.name + " was not run: interrupted");
        continue;
      }
      section.commands.insert(section.commands.end(), campaign.commands.begin(), campaign.commands.end());
      std::vector<LabCell> cells = cellsOf(campaign, section);
      if (m_comparison.paper.sections[campaign.section].fitsRateEquation) addFitNotes(cells, section.fits);
      for (LabCell& cell : cells) {
        section.cells.push_back(
            comparedCell(m_comparison.paper.sections[campaign.section], campaign.experiment, std::move(cell)));
      }
    }
    return std::move(m_comparison);
  }

private:
  std::vector<LabCell> cellsOf(const PaperCampaign& campaign, MeasuredSection& section) {
    std::vector<LabCell> cells;
    std::vector<LabFigures> single;
    for (std::size_t number = 0; number < campaign.scenarios.size(); ++number) {
      auto document = m_campaignRun(campaign.scenarios[number], m_waitUntil, m_runEnded);
      if (m_interrupted) {
        // Some of its runs may have been cut short; those of the paths before it were not.
        section.notes.push_back(interruptionNote(campaign, number));
        break;
      }
      const std::string why = !document ? sentence(document.error()) : document->skipped.value_or("");
      if (!why.empty()) {
        section.notes.push_back(fmt::format("{} was not run: {}", campaign.experiment.name, why));
        continue;
      }
      addNotes(campaign, *document, section);
      if (m_comparison.paper.sections[campaign.section].drawsWindows && !document->connections.empty()) {
        section.traces.push_back(windowTraceOf(document->connections.front()->history, labelOf(campaign.experiment)));
      }
      // A run alone has no cell, and keeps its figures even where it was late.
      if (document->cells.empty() && document->figures) single.push_back(*document->figures);
      for (LabCell& cell : document->cells) cells.push_back(std::move(cell));
    }
    if (!single.empty()) {
      cells.push_back(cellOf({}, single));
      addLatenessNotes({cells.back()}, true, section.notes);
    }
    return cells;
  }

  static std::string labelOf(const PaperExperiment& experiment) {
    std::string label;
    for (const LabSetting& setting : experiment.settings) label += (label.empty() ? "" : ", ") + setting.value;
    return label;
  }

  static std::string interruptionNote(const PaperCampaign& campaign, std::size_t number) {
    const std::size_t paths = campaign.scenarios.size();
    if (number == 0) return campaign.experiment.name + " was interrupted, and is left out";
    std::string note =
        fmt::format("{}: path {} of {} was interrupted, and is left out", campaign.experiment.name, number + 1, paths);
    if (number + 1 < paths) note += "; the paths after it were not run";
    return note;
  }

  static void addNotes(const PaperCampaign& campaign, const LabRunDocument& document, MeasuredSection& section) {
    std::vector<std::string> fits;
    addFitNotes(document.cells, fits);
    for (const std::string& note : document.notes) {
      if (std::find(fits.begin(), fits.end(), note) != fits.end()) continue;
      section.notes.push_back(fmt::format("{}: {}", campaign.experiment.name, note));
    }
  }

  const RunEnded& m_runEnded;
  const CampaignRun& m_campaignRun;
  WaitUntil m_waitUntil;
  PaperComparison m_comparison;
  bool m_interrupted = false;
};

}  // namespace

Expected<std::vector<PaperCampaign>, ScenarioError> planPaper(const Paper& paper, const PaperRunOptions& options) {
  std::vector<PaperCampaign> campaigns;
  for (std::size_t section = 0; section < paper.sections.size(); ++section) {
    for (const PaperExperiment& experiment : paper.sections[section].experiments) {
      auto campaign = planExperiment(section, experiment, options);
      if (!campaign) return PlanFailure(campaign.error());
      campaigns.push_back(std::move(*campaign));
    }
  }
  return campaigns;
}

PaperComparison runPaper(const Paper& paper, const std::vector<PaperCampaign>& campaigns, const WaitUntil& waitUntil,
                         const RunEnded& runEnded, const CampaignRun& campaignRun) {
  return PaperRunner(paper, waitUntil, runEnded, campaignRun).run(campaigns);
}

PaperComparison notRun(const Paper& paper, const std::string& reason) {
  PaperComparison comparison;
  comparison.paper = paper;
  comparison.sections.resize(paper.sections.size());
  for (MeasuredSection& section : comparison.sections) section.notes = {"Not run: " + reason};
  return comparison;
}

std::vector<PaperComparison> notReached(std::span<const PaperComparison> reached, const std::string& reason) {
  std::vector<PaperComparison> rest;
  for (const Paper& paper : paperCatalogue().subspan(reached.size())) rest.push_back(notRun(paper, reason));
  return rest;
}

}  // namespace tcpscope::lab
