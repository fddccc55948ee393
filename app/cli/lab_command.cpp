// `lab`: lists the scenarios; runs one, compares both ends' verdicts with its truth, and writes tables and plots of
// grids; records one.
#include <cerrno>
#include <fstream>
#include <iterator>

#include "app/cli/commands.h"
#include "app/cli/interruption.h"
#include "app/cli/lab_output.h"
#include "app/cli/text_output.h"
#include "app/lab/run/lab_campaign.h"
#include "app/lab/run/lab_capture.h"
#include "app/lab/run/lab_recording.h"
#include "app/lab/scenario/scenario_catalogue.h"
#include "app/lab/scenario/scenario_parser.h"
#include "app/session/local_place.h"
#include "app/store/replaced_file.h"
#include "collectors/system/monotonic_clock.h"
#include "core/base/escape.h"
#include "core/present/text/lab_text.h"
#include "core/session/paper_catalogue.h"

namespace tcpscope {

namespace {

using lab::Scenario;

ExitCode listScenarios(bool json) {
  std::vector<lab::LabListEntry> entries;
  for (const lab::BundledScenario& bundled : lab::scenarioCatalogue()) {
    if (const auto scenario = lab::parseScenario(bundled.text)) {
      entries.push_back({scenario->name, scenario->title, scenario->truth});
    }
  }
  if (json) return writeOut(lab::toJson(entries));
  TextBuffer out;
  appendScenarios(out, entries);
  return writeOut({out.data(), out.size()});
}

/// A bundled scenario of that name, else the file.
Expected<std::string, ExitCode> textOf(const std::string& nameOrFile) {
  if (const auto* const bundled = lab::findScenario(nameOrFile)) return std::string(bundled->text);
  std::ifstream file(nameOrFile, std::ios::binary);
  if (!file) {
    return Unexpected<ExitCode>(
        fail(ExitCode::notThere,
             fmt::format("'{}' is neither a scenario nor a readable file; 'tcpscope-cli lab list' shows the scenarios",
                         forTerminal(nameOrFile))));
  }
  // One byte more than is allowed shows that it is too much.
  constexpr std::size_t kMost = 65'537;
  std::string text(kMost, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

/// Several values make an axis of the grid; the values of some keys are lists themselves.
std::optional<lab::Assignment> assignmentOf(const std::string& change) {
  const std::size_t sign = change.find('=');
  if (sign == std::string::npos || sign == 0) return std::nullopt;
  lab::Assignment assignment{change.substr(0, sign), change.substr(sign + 1)};
  const bool isList = assignment.key.ends_with("loss_packets") || assignment.key.ends_with("findings") ||
                      assignment.key.starts_with("sweep.");
  if (!isList && assignment.value.find(',') != std::string::npos) assignment.key.insert(0, "sweep.");
  return assignment;
}

Expected<Scenario, ExitCode> scenarioOf(const LabOptions& options) {
  const auto text = textOf(options.scenario);
  if (!text) return Unexpected<ExitCode>(text.error());
  std::vector<lab::Assignment> changes;
  for (const std::string& change : options.changes) {
    const auto assignment = assignmentOf(change);
    if (!assignment) {
      return Unexpected<ExitCode>(
          fail(ExitCode::wrongUsage,
               fmt::format("--set takes KEY=VALUE such as path.delay=25ms, not '{}'", forTerminal(change))));
    }
    changes.push_back(*assignment);
  }
  if (options.forSeconds) changes.push_back({"duration", fmt::format("{:.3f} s", *options.forSeconds)});
  if (options.repeats) changes.push_back({"repeats", std::to_string(*options.repeats)});
  auto scenario = lab::parseScenario(*text, changes);
  if (scenario) return *scenario;
  const bool isOurUsage = scenario.error().line == 0 && lab::findScenario(options.scenario) != nullptr;
  return Unexpected<ExitCode>(fail(isOurUsage ? ExitCode::wrongUsage : ExitCode::badInput, sentence(scenario.error())));
}

ExitCode failOf(const LabError& error) {
  if (error.kind == LabErrorKind::noCongestionControl) return fail(ExitCode::notThere, sentence(error));
  const bool isRight =
      error.kind == LabErrorKind::noUserNamespaces || error.errorNumber == EPERM || error.errorNumber == EACCES;
  return fail(isRight ? ExitCode::missingRight : ExitCode::systemFailed, sentence(error));
}

ExitCode writeFile(const std::string& name, const LabOptions& options, const lab::LabRunDocument& document) {
  std::string content;
  if (name.ends_with(".csv")) {
    content = lab::toCsv(document.cells);
  } else if (name.ends_with(".svg")) {
    content = toSvg(lab::plotOf(document.title, document.cells, options.figure));
  } else {
    content = lab::toJson(document);
  }
  const auto written = replaceFile(name, content);
  return written ? ExitCode::done : fail(SystemError{SystemAttempt::writeOutput, written.error(), UntrustedText(name)});
}

bool isKnownOutput(const std::string& name) {
  return name.ends_with(".csv") || name.ends_with(".svg") || name.ends_with(".json");
}

ExitCode runScenario(const CommandOptions& options) {
  for (const std::string& output : options.lab.outputs) {
    if (!isKnownOutput(output)) {
      return fail(ExitCode::wrongUsage, "the extension of an output selects its format: .csv, .svg or .json");
    }
  }
  const auto scenario = scenarioOf(options.lab);
  if (!scenario) return scenario.error();
  const Interruption interruption;
  const auto waitUntil = [&](Moment moment) {
    return interruption.waitUntil(moment) != Interruption::Wake::interrupted;
  };
  auto document = lab::runCampaign(*scenario, waitUntil, showProgress);
  if (!document) return failOf(document.error());
  document->time = wallNow();
  const bool hasNothing = document->skipped || lab::isWithoutFigures(document->cells);
  // A file gets the cell of a single run, too.
  if (document->cells.empty() && document->figures) {
    document->cells.push_back(lab::cellOf({}, {*document->figures}, lab::LateRuns::kept));
  }
  for (const std::string& output : options.lab.outputs) {
    if (const ExitCode code = writeFile(output, options.lab, *document); code != ExitCode::done) return code;
  }
  TextBuffer out;
  if (options.json) {
    append(out, lab::toJson(*document));
  } else {
    appendRun(out, *scenario, *document);
  }
  if (const ExitCode code = writeOut({out.data(), out.size()}); code != ExitCode::done) return code;
  if (hasNothing) return ExitCode::notThere;
  return document->agrees().value_or(true) ? ExitCode::done : ExitCode::notThere;
}

/// FOLDER/SCENARIO-path.csv.
Expected<std::filesystem::path, SystemError> writePathEvents(const lab::LabProcess& running,
                                                             std::span<const lab::LinkReport> links,
                                                             const std::string& scenario, const std::string& folder) {
  const std::filesystem::path path = std::filesystem::path(folder) / (scenario + "-path.csv");
  const ClockPair clocks{monotonicNow(), wallNow()};
  const auto written = replaceFile(path, lab::pathEventsCsv(running.events(), links, clocks));
  if (written) return path;
  return Unexpected<SystemError>({SystemAttempt::writeRecording, written.error(), UntrustedText(path.string())});
}

/// One run: of a grid, the first.
ExitCode recordScenario(const LabOptions& options) {
  auto scenario = scenarioOf(options);
  if (!scenario) return scenario.error();
  const auto cell = lab::cellOf(*scenario, lab::sweepCells(*scenario).front());
  if (!cell) return fail(ExitCode::badInput, sentence(cell.error()));
  // Where that fails, the first file that is written there says why.
  std::error_code ignored;
  std::filesystem::create_directories(options.outputs.front(), ignored);
  std::vector<std::filesystem::path> written;
  std::vector<int> descriptors;
  auto captures = options.packets ? lab::createCaptures(*cell, options.outputs.front())
                                  : Expected<std::vector<lab::CaptureFile>, SystemError>();
  if (!captures) return fail(captures.error());
  for (const lab::CaptureFile& capture : *captures) {
    written.push_back(capture.path);
    descriptors.push_back(capture.descriptor.get());
  }
  const auto running = lab::LabProcess::startCaptured(*cell, descriptors);
  if (!running) return failOf(running.error());
  const Interruption interruption;
  const Nanoseconds span = options.forSeconds ? cell->duration : cell->warmUp + cell->duration;
  const auto files = lab::recordLab(**running, cell->name, options.outputs.front(), monotonicNow() + span,
                                    [&] { return interruption.happened(); });
  if (!files) return fail(files.error());
  written.insert(written.end(), files->begin(), files->end());
  if (options.packets) {
    const auto result = (*running)->report();
    if (!result) return failOf(result.error());
    auto events = writePathEvents(**running, result->path.links, cell->name, options.outputs.front());
    if (!events) return fail(events.error());
    written.push_back(*events);
  }
  TextBuffer out;
  for (const std::filesystem::path& file : written) append(out, forTerminal(file.string()) + "\n");
  return writeOut({out.data(), out.size()});
}

void addPaperRunOptions(CLI::App& command, LabOptions& options) {
  command
      .add_option(
          "--for", options.forSeconds,
          "Measure each run for this many seconds, by default as the scenarios say; transfers of 64 MB run until "
          "their end")
      ->check(secondsWithin(0.5, 3600.0))
      ->type_name("S");
  command.add_option("--repeat", options.repeats, "Number of runs of each experiment; intervals need two or more")
      ->check(CLI::Range(1, 1000))
      ->type_name("N");
}

}  // namespace

void addLabOptions(CLI::App& command, LabOptions& options, bool& json) {
  command.require_subcommand(1);
  CLI::App* const list = command.add_subcommand("list", "List the built-in scenarios");
  list->add_flag("--json", json, "Print one JSON document");
  list->callback([&options] { options.action = LabAction::list; });

  CLI::App* const run = command.add_subcommand("run", "Run a scenario and check the verdict against the answer");
  run->callback([&options] { options.action = LabAction::run; });
  run->add_option("SCENARIO", options.scenario, "Name of a scenario from 'lab list', or a file")
      ->required()
      ->type_name("");
  run->add_option("--for", options.forSeconds, "Measure for this many seconds")
      ->check(secondsWithin(0.5, 3600.0))
      ->type_name("S");
  run->add_option("--set", options.changes,
                  "Change a setting: path.delay=25ms; with several values (path.delay=25ms,50ms) run each")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  run->add_option("--repeat", options.repeats, "Number of runs")->check(CLI::Range(1, 1000))->type_name("N");
  run->add_option("-o,--output", options.outputs,
                  "Write the table (.csv), the plot (.svg) or the document (.json) to a file")
      ->type_name("FILE")
      ->allow_extra_args(false);
  run->add_option("--figure", options.figure,
                  "What the plot shows: goodput_bps, completion_s, jain_fairness_ratio, ...")
      ->type_name("KEY")
      ->capture_default_str();
  run->add_flag("--json", json, "Print one JSON document");

  CLI::App* const record = command.add_subcommand("record", "Run a scenario and record it at each of its hosts");
  record->callback([&options] { options.action = LabAction::record; });
  record->add_option("SCENARIO", options.scenario, "Name of a scenario from 'lab list', or a file")
      ->required()
      ->type_name("");
  record->add_option("-o,--output", options.outputs, "Folder for the recordings, one per host")
      ->required()
      ->expected(1)
      ->type_name("FOLDER");
  record->add_flag("--packets", options.packets,
                   "Also capture packets at each host's device, and list what the path did to them");
  record->add_option("--for", options.forSeconds, "Record for this many seconds (as long as the scenario runs)")
      ->check(secondsWithin(0.5, 3600.0))
      ->type_name("S");

  CLI::App* const compared =
      command.add_subcommand("compare", "Run the experiments of a paper, and judge its statements");
  compared->callback([&options] { options.action = LabAction::compare; });
  std::vector<std::string> numbers;
  for (const lab::Paper& paper : lab::paperCatalogue()) numbers.push_back(paper.number);
  compared
      ->add_option(
          "PAPER", options.scenario,
          "The paper: 000 (automatic buffer tuning), 002 (tuning with Web100), 003 (gentle HighSpeed TCP), 004 "
          "(packet loss burstiness)")
      ->required()
      ->check(CLI::IsMember(numbers))
      ->type_name("NUMBER");
  addPaperRunOptions(*compared, options);
  compared
      ->add_option("-o,--output", options.outputs,
                   "Write the page (.html), its figures (.svg) or the table (.csv) to a file")
      ->type_name("FILE")
      ->allow_extra_args(false);

  CLI::App* const paper = command.add_subcommand("paper", "Run the experiments of all papers into one page");
  paper->callback([&options] { options.action = LabAction::paper; });
  addPaperRunOptions(*paper, options);
  paper->add_option("-o,--output", options.outputs, "The page (.html)")->required()->expected(1)->type_name("FILE");

  CLI::App* const controls = command.add_subcommand(
      "congestion-controls", "Load HighSpeed TCP and gentle HighSpeed TCP into the kernel (root), unload or list them");
  controls->require_subcommand(1);
  const auto addAction = [&](const char* name, const char* help, LabAction action) {
    controls->add_subcommand(name, help)->callback([&options, action] { options.action = action; });
  };
  addAction("list", "List them, and which are loaded", LabAction::listControls);
  addAction("load", "Load them until they are unloaded, or until the next boot", LabAction::loadControls);
  addAction("unload", "Unload them; connections that use one keep it", LabAction::unloadControls);
}

ExitCode labCommand(const CommandOptions& options) {
  switch (options.lab.action) {
    case LabAction::list:
      return listScenarios(options.json);
    case LabAction::run:
      return runScenario(options);
    case LabAction::compare:
      return comparePaperCommand(options);
    case LabAction::paper:
      return paperCommand(options);
    case LabAction::listControls:
    case LabAction::loadControls:
    case LabAction::unloadControls:
      return congestionControlsCommand(options.lab.action);
    case LabAction::record:
      break;
  }
  return recordScenario(options.lab);
}

}  // namespace tcpscope
