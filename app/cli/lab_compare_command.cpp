// `lab compare`: runs the experiments of a seed, judges its statements by the runs, and writes page, figures or
// table.
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "app/cli/commands.h"
#include "app/cli/connection_output.h"
#include "app/cli/interruption.h"
#include "app/cli/lab_output.h"
#include "app/cli/text_output.h"
#include "app/lab/engine/lab_controls.h"
#include "app/lab/run/lab_campaign.h"
#include "app/lab/scenario/scenario_catalogue.h"
#include "app/lab/scenario/scenario_parser.h"
#include "app/session/local_place.h"
#include "app/store/replaced_file.h"
#include "core/base/escape.h"
#include "core/present/html/seed_page.h"
#include "core/present/text/lab_text.h"

namespace tcpscope {

namespace {

bool isPageOutput(const std::string& name) {
  return name.ends_with(".html") || name.ends_with(".svg") || name.ends_with(".csv");
}

ExitCode writePage(const std::string& name, const lab::SeedComparison& comparison) {
  const std::string content = name.ends_with(".csv")   ? lab::toCsv(comparison.cells)
                              : name.ends_with(".svg") ? lab::toSvg(comparison)
                                                       : lab::toHtml(comparison);
  const auto written = replaceFile(name, content);
  return written ? ExitCode::done : fail(SystemError{SystemAttempt::writeOutput, written.error(), UntrustedText(name)});
}

std::vector<lab::Assignment> settingsOf(const LabOptions& options) {
  std::vector<lab::Assignment> changes;
  if (options.forSeconds) changes.push_back({"duration", fmt::format("{:.3f} s", *options.forSeconds)});
  if (options.repeats) changes.push_back({"repeats", std::to_string(*options.repeats)});
  return changes;
}

std::string commandOf(const lab::SeedExperiment& experiment, const LabOptions& options) {
  std::string command = fmt::format("sudo tcpscope-cli lab run {}", experiment.scenario);
  if (options.forSeconds) command += fmt::format(" --for {:g}", *options.forSeconds);
  if (options.repeats) command += fmt::format(" --repeat {}", *options.repeats);
  return command;
}

void appendComparison(TextBuffer& out, const lab::SeedComparison& comparison) {
  appendCells(out, comparison.cells);
  append(out, "\n");
  TextTable table({{"LINK"}, {"THIS RUN"}, {"STATEMENT (windows of 512 KB)"}});
  for (const lab::SeedStatement& statement : comparison.statements) {
    for (const std::string_view text : {statement.bottleneck, name(statement.outcome), statement.text}) {
      append(table.cell(), text);
      table.endCell();
    }
  }
  table.print(out);
  for (const std::string& note : comparison.notes) line(out, "note  {}", note);
}

}  // namespace

ExitCode compareWithSeedCommand(const CommandOptions& options) {
  for (const std::string& output : options.lab.outputs) {
    if (!isPageOutput(output)) {
      return fail(ExitCode::wrongUsage, "the extension of an output selects its format: .html, .svg or .csv");
    }
    // Before hours of runs.
    const std::filesystem::path folder = std::filesystem::absolute(output).parent_path();
    if (access(folder.c_str(), W_OK) != 0) {
      return fail(SystemError{SystemAttempt::writeOutput, errno, UntrustedText(output)});
    }
  }
  const auto place = findLocalPlace(std::nullopt);
  if (!place) return fail(place.error());
  const std::vector<lab::Assignment> changes = settingsOf(options.lab);
  std::vector<lab::Scenario> scenarios;
  for (const lab::SeedExperiment& experiment : lab::kGentleExperiments) {
    auto scenario = lab::parseScenario(lab::findScenario(std::string(experiment.scenario))->text, changes);
    if (!scenario) return fail(ExitCode::badInput, sentence(scenario.error()));
    scenarios.push_back(std::move(*scenario));
  }
  // For all of the runs: the first that needs them would else fail after an hour.
  std::optional<RegisteredControls> controls;
  for (const lab::Scenario& scenario : scenarios) {
    auto held = lab::holdControls(scenario);
    if (!held) return fail(ExitCode::notThere, sentence(held.error()));
    if (*held) controls = std::move(*held);
  }
  const Interruption interruption;
  const auto waitUntil = [&](Moment moment) {
    return interruption.waitUntil(moment) != Interruption::Wake::interrupted;
  };
  lab::SeedComparison comparison;
  comparison.conditions = fmt::format(
      "{}, Linux {}, each run {:g} s, {} of each experiment; path seeds from {} on. Runs whose path was late are left "
      "out.",
      timeText(wallNow()), forPlainText(place->place.kernel), toSeconds(scenarios.front().duration),
      scenarios.front().repeats, scenarios.front().path.seed);
  for (std::size_t i = 0; i < scenarios.size() && !interruption.happened(); ++i) {
    const lab::SeedExperiment& experiment = lab::kGentleExperiments[i];
    auto document = lab::runCampaign(scenarios[i], waitUntil, showProgress);
    const std::string why = !document ? sentence(document.error()) : document->skipped.value_or("");
    if (!why.empty()) {
      // What was measured until then stays.
      comparison.notes.push_back(fmt::format("Experiment {} was not run: {}", experiment.number, why));
      continue;
    }
    if (interruption.happened()) {
      comparison.notes.push_back(
          fmt::format("Interrupted in experiment {}: the runs from it on are left out.", experiment.number));
      break;
    }
    for (lab::LabCell& cell : document->cells) {
      comparison.cells.push_back(lab::comparedCell(experiment, std::move(cell)));
    }
    for (const std::string& note : document->notes) {
      comparison.notes.push_back(fmt::format("Experiment {}: {}", experiment.number, note));
    }
    comparison.commands.push_back(commandOf(experiment, options.lab));
  }
  comparison.statements = lab::judgeGentleStatements(comparison.cells);
  TextBuffer out;
  appendComparison(out, comparison);
  if (const ExitCode code = writeOut({out.data(), out.size()}); code != ExitCode::done) return code;
  for (const std::string& output : options.lab.outputs) {
    if (const ExitCode code = writePage(output, comparison); code != ExitCode::done) return code;
  }
  return lab::isWithoutFigures(comparison.cells) ? ExitCode::notThere : ExitCode::done;
}

}  // namespace tcpscope
