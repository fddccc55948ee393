// `lab compare` and `lab paper`: run the experiments of one paper or of all, judge their statements by the runs, and
// write pages, figures or tables.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>

#include "app/cli/commands.h"
#include "app/cli/connection_output.h"
#include "app/cli/interruption.h"
#include "app/cli/lab_output.h"
#include "app/cli/text_output.h"
#include "app/lab/engine/lab_controls.h"
#include "app/lab/run/paper_run.h"
#include "app/session/local_place.h"
#include "app/store/replaced_file.h"
#include "core/base/escape.h"
#include "core/present/html/paper_page.h"
#include "core/present/html/paper_plots.h"
#include "core/present/text/lab_text.h"
#include "core/session/paper_catalogue.h"

namespace tcpscope {

namespace {

/// Before hours of runs.
ExitCode checkOutputs(const std::vector<std::string>& outputs, std::span<const std::string_view> formats) {
  for (const std::string& output : outputs) {
    const bool isKnown =
        std::any_of(formats.begin(), formats.end(), [&](std::string_view format) { return output.ends_with(format); });
    if (!isKnown) {
      std::string list;
      for (const std::string_view format : formats) {
        if (!list.empty()) list += format == formats.back() ? " or " : ", ";
        list += format;
      }
      return fail(ExitCode::wrongUsage, fmt::format("the extension of an output selects its format: {}", list));
    }
    const std::filesystem::path folder = std::filesystem::absolute(output).parent_path();
    if (access(folder.c_str(), W_OK) != 0) {
      return fail(SystemError{SystemAttempt::writeOutput, errno, UntrustedText(output)});
    }
  }
  return ExitCode::done;
}

ExitCode write(const std::string& name, const std::string& content) {
  const auto written = replaceFile(name, content);
  return written ? ExitCode::done : fail(SystemError{SystemAttempt::writeOutput, written.error(), UntrustedText(name)});
}

std::string conditionsOf(const std::vector<lab::PaperCampaign>& campaigns, const LabOptions& options,
                         const LocalPlace& place) {
  // Scenarios of one paper differ in length where nothing was given.
  const std::string length =
      options.forSeconds ? fmt::format("{:g} s", *options.forSeconds) : "as long as its scenario says";
  const std::string repeats = options.repeats ? fmt::format("{}", *options.repeats) : "as its scenario says";
  const bool hasEnds =
      std::any_of(campaigns.begin(), campaigns.end(), [](const auto& one) { return one.experiment.runsToItsEnd; });
  const std::string_view ends = hasEnds ? ", transfers of 64 MB to their end" : "";
  const lab::Scenario& first = campaigns.front().scenarios.front();
  return fmt::format(
      "{}, Linux {}. Each run {}{}; runs of each experiment: {}; path seeds from {} on. "
      "Runs whose path was late are left out.",
      timeText(wallNow()), forPlainText(place.place.kernel), length, ends, repeats, first.path.seed);
}

/// Each run has one or two: the tables would drown in them.
void appendNotes(TextBuffer& out, const std::vector<std::string>& notes) {
  constexpr std::size_t kMost = 8;
  for (std::size_t number = 0; number < std::min(notes.size(), kMost); ++number) line(out, "note  {}", notes[number]);
  if (notes.size() > kMost) line(out, "note  {} more; -o FILE.html writes all", notes.size() - kMost);
}

void appendComparison(TextBuffer& out, const lab::PaperComparison& comparison) {
  for (std::size_t number = 0; number < comparison.sections.size(); ++number) {
    const lab::PaperSection& section = comparison.paper.sections[number];
    const lab::MeasuredSection& measured = comparison.sections[number];
    line(out, "{} {}: {}", comparison.paper.number, section.name, section.title);
    if (!measured.cells.empty()) appendCells(out, measured.cells);
    for (const std::string& fit : measured.fits) line(out, "fit   {}", fit);
    for (const lab::MeasuredOptimum& optimum : optimaOf(section, measured)) {
      line(out, "best  {}", optimumSentence(section, optimum));
    }
    appendNotes(out, measured.notes);
    append(out, "\n");
  }
  const std::vector<lab::StatementOutcome> outcomes = lab::judgeStatements(comparison);
  TextTable table({{"FIGURE"}, {"THIS RUN"}, {"STATEMENT"}});
  for (std::size_t number = 0; number < outcomes.size(); ++number) {
    const lab::PaperStatement& statement = comparison.paper.statements[number];
    for (const std::string_view text :
         {std::string_view(statement.section), name(outcomes[number]), std::string_view(statement.text)}) {
      append(table.cell(), text);
      table.endCell();
    }
  }
  table.print(out);
  append(out, "\n");
}

/// One paper with its congestion controls, if it needs any.
struct ReadyPaper {
  const lab::Paper* paper = nullptr;
  std::vector<lab::PaperCampaign> campaigns;
  std::optional<RegisteredControls> controls;
  /// Why its controls are missing.
  std::optional<LabError> missing;
};

Expected<ReadyPaper, ExitCode> prepare(const lab::Paper& paper, const LabOptions& options) {
  auto campaigns = lab::planPaper(paper, {options.forSeconds, options.repeats});
  if (!campaigns) return Unexpected<ExitCode>(fail(ExitCode::badInput, sentence(campaigns.error())));
  ReadyPaper ready;
  ready.paper = &paper;
  ready.campaigns = std::move(*campaigns);
  // For all of the runs: the first that needs them would else fail after an hour.
  for (const lab::PaperCampaign& campaign : ready.campaigns) {
    auto held = lab::holdControls(campaign.scenarios.front());
    if (!held) {
      ready.missing = held.error();
      break;
    }
    if (*held) ready.controls = std::move(*held);
  }
  return ready;
}

}  // namespace

ExitCode comparePaperCommand(const CommandOptions& options) {
  constexpr std::array<std::string_view, 3> kFormats = {".html", ".svg", ".csv"};
  if (const ExitCode code = checkOutputs(options.lab.outputs, kFormats); code != ExitCode::done) return code;
  const auto place = findLocalPlace(std::nullopt);
  if (!place) return fail(place.error());
  const auto ready = prepare(*lab::findPaper(options.lab.scenario), options.lab);
  if (!ready) return ready.error();
  if (ready->missing) return fail(ExitCode::notThere, sentence(*ready->missing));
  const Interruption interruption;
  const auto waitUntil = [&](Moment moment) {
    return interruption.waitUntil(moment) != Interruption::Wake::interrupted;
  };
  const std::string conditions = conditionsOf(ready->campaigns, options.lab, *place);
  lab::PaperComparison comparison = lab::runPaper(*ready->paper, ready->campaigns, waitUntil, showProgress);
  comparison.conditions = conditions;
  TextBuffer out;
  appendComparison(out, comparison);
  if (const ExitCode code = writeOut({out.data(), out.size()}); code != ExitCode::done) return code;
  for (const std::string& output : options.lab.outputs) {
    const std::string content = output.ends_with(".csv")   ? lab::toCsv(comparison)
                                : output.ends_with(".svg") ? lab::toSvg(comparison)
                                                           : lab::toHtml(comparison);
    if (const ExitCode code = write(output, content); code != ExitCode::done) return code;
  }
  return lab::isWithoutFigures(comparison) ? ExitCode::notThere : ExitCode::done;
}

ExitCode paperCommand(const CommandOptions& options) {
  constexpr std::array<std::string_view, 1> kFormats = {".html"};
  if (const ExitCode code = checkOutputs(options.lab.outputs, kFormats); code != ExitCode::done) return code;
  const auto place = findLocalPlace(std::nullopt);
  if (!place) return fail(place.error());
  const Interruption interruption;
  const auto waitUntil = [&](Moment moment) {
    return interruption.waitUntil(moment) != Interruption::Wake::interrupted;
  };
  std::vector<lab::PaperComparison> comparisons;
  TextBuffer out;
  for (const lab::Paper& paper : lab::paperCatalogue()) {
    const auto ready = prepare(paper, options.lab);
    if (!ready) return ready.error();
    const std::string conditions = conditionsOf(ready->campaigns, options.lab, *place);
    comparisons.push_back(ready->missing ? lab::notRun(paper, sentence(*ready->missing))
                                         : lab::runPaper(paper, ready->campaigns, waitUntil, showProgress));
    comparisons.back().conditions = conditions;
    appendComparison(out, comparisons.back());
    // What was measured until an interruption stays.
    const bool isInterrupted = interruption.happened();
    // The page claims every figure: it lists those that no run has reached, too.
    std::vector<lab::PaperComparison> all = comparisons;
    for (lab::PaperComparison& rest : lab::notReached(comparisons, isInterrupted ? "interrupted" : "not reached yet")) {
      if (isInterrupted) appendComparison(out, rest);
      all.push_back(std::move(rest));
    }
    if (const ExitCode code = write(options.lab.outputs.front(), lab::toHtml(all)); code != ExitCode::done) {
      return code;
    }
    if (isInterrupted) break;
  }
  if (const ExitCode code = writeOut({out.data(), out.size()}); code != ExitCode::done) return code;
  const bool isMeasured = std::ranges::any_of(
      comparisons, [](const lab::PaperComparison& comparison) { return lab::hasFigures(comparison); });
  return isMeasured ? ExitCode::done : ExitCode::notThere;
}

}  // namespace tcpscope
