#include "app/cli/lab_output.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "app/cli/connection_output.h"
#include "core/base/escape.h"
#include "core/present/text/diagnosis_text.h"
#include "core/present/text/lab_text.h"

namespace tcpscope {

namespace {

/// In lines of at most 100 columns, indented.
void appendWrapped(TextBuffer& out, std::string_view text) {
  constexpr std::size_t kWidth = 100;
  std::string current;
  while (!text.empty()) {
    const std::size_t end = text.find(' ');
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (!current.empty() && current.size() + word.size() + 1 > kWidth) {
      line(out, "  {}", current);
      current.clear();
    }
    current += (current.empty() ? "" : " ") + std::string(word);
  }
  if (!current.empty()) line(out, "  {}", current);
}

void appendVerdicts(TextBuffer& out, const lab::LabRunDocument& document) {
  // Pairs of sender and receiver; the main connection comes first.
  constexpr std::size_t kEnds = 2;
  for (std::size_t number = 0; number < std::min(kEnds, document.connections.size()); ++number) {
    const ConnectionDetail& detail = *document.connections[number];
    const Verdict& verdict = detail.diagnosis.verdict;
    line(out, "  {:<9} {} (confidence {:.0f} %)", name(detail.diagnosis.bulk), sentence(verdict, detail.diagnosis.bulk),
         verdict.confidenceRatio * 100);
  }
}

constexpr std::string_view kMemoryKey = "socket_memory_peak_bytes.";

/// A table for people has no room for those of many hosts.
bool hasFewHosts(const lab::LabCell& cell) {
  constexpr std::ptrdiff_t kMostHosts = 2;
  const auto isOfHost = [](const auto& figure) { return figure.first.starts_with(kMemoryKey); };
  return std::count_if(cell.figures.begin(), cell.figures.end(), isOfHost) <= kMostHosts;
}

/// The figures that a table for people has room for.
std::vector<std::string> columnsOf(const std::vector<lab::LabCell>& cells) {
  std::vector<std::string> columns;
  for (const lab::LabCell& cell : cells) {
    const bool showsHosts = hasFewHosts(cell);
    for (const auto& [key, summary] : cell.figures) {
      const bool wanted = key == "goodput_bps" || key == "completion_s" || key == "utilization_ratio" ||
                          key == "jain_fairness_ratio" || key == "drops" || key == "lateness_p999_us" ||
                          key.starts_with("goodput_bps.") ||
                          (showsHosts && (key.starts_with("cpu_ratio.") || key.starts_with(kMemoryKey)));
      if (wanted && std::find(columns.begin(), columns.end(), key) == columns.end()) columns.push_back(key);
    }
  }
  return columns;
}

/// "94.2 Mbit/s ± 0.3 (94.1)": mean, half of the 95 % interval, median.
std::string summaryText(const std::string& key, const SampleSummary& summary) {
  std::string text = lab::figureText(key, summary.mean);
  if (summary.meanInterval95) {
    text += fmt::format(" ± {}", lab::figureText(key, summary.meanInterval95->high - summary.mean));
    text += fmt::format(", median {}", lab::figureText(key, summary.median));
  }
  return text;
}

/// "10", "8 of 10" where the others are left out.
std::string runsText(const lab::LabCell& cell) {
  if (cell.lateRuns == 0) return std::to_string(cell.runs);
  return fmt::format("{} of {}", cell.runs - cell.lateRuns, cell.runs);
}

}  // namespace

void appendCells(TextBuffer& out, const std::vector<lab::LabCell>& cells) {
  const std::vector<std::string> figures = columnsOf(cells);
  std::vector<std::string> titles;
  for (const lab::LabSetting& setting : cells.front().settings) titles.push_back(forTerminal(setting.key));
  titles.emplace_back("runs");
  titles.insert(titles.end(), figures.begin(), figures.end());
  std::vector<Column> columns;
  columns.reserve(titles.size());
  for (const std::string& title : titles) columns.push_back({title, true});
  TextTable table(columns);
  const auto put = [&table](std::string_view text) {
    append(table.cell(), text);
    table.endCell();
  };
  for (const lab::LabCell& cell : cells) {
    for (const lab::LabSetting& setting : cell.settings) put(forTerminal(setting.value));
    put(runsText(cell));
    for (const std::string& key : figures) {
      const SampleSummary* const summary = cell.figure(key);
      put(summary == nullptr ? std::string() : summaryText(key, *summary));
    }
  }
  table.print(out);
}

void appendScenarios(TextBuffer& out, const std::vector<lab::LabListEntry>& entries) {
  TextTable table({{"Scenario"}, {"Answer"}, {"Title"}});
  for (const lab::LabListEntry& entry : entries) {
    append(table.cell(), entry.name);
    table.endCell();
    append(table.cell(), entry.truth ? fmt::format("{}/{}", name(entry.truth->limit), name(entry.truth->cause))
                                     : std::string("(several runs)"));
    table.endCell();
    append(table.cell(), entry.title);
    table.endCell();
  }
  table.print(out);
}

void appendRun(TextBuffer& out, const lab::Scenario& scenario, const lab::LabRunDocument& document) {
  line(out, "{}", forTerminal(document.title));
  appendWrapped(out, forTerminal(scenario.story));
  if (document.skipped) line(out, "  skipped   {}", *document.skipped);
  const bool isGrid = document.isCampaign && !document.skipped;
  if (isGrid && lab::isWithoutFigures(document.cells)) {
    line(out, "  no figure of any run: the machine was too slow; repeat it while nothing else runs");
  } else if (isGrid) {
    appendCells(out, document.cells);
  } else if (document.figures) {
    line(out, "  measured  {}", sentence(*document.figures));
    for (const lab::HostFigures& host : document.figures->hosts) {
      line(out, "  host      {}", forTerminal(lab::sentence(host)));
    }
  }
  if (document.truth) line(out, "  answer    {}", lab::sentence(*document.truth));
  if (!document.skipped) appendVerdicts(out, document);
  for (const lab::Agreement& agreement : document.agreements) {
    line(out, "  {:<9} {}", agreement.agrees() ? "agrees" : "DISAGREES", sentence(agreement));
  }
  for (const std::string& note : document.notes) line(out, "  note      {}", note);
}

void showProgress(std::size_t run, std::size_t runs, const lab::LabCell& cell) {
  if (runs < 2 || isatty(STDERR_FILENO) == 0) return;
  std::string settings;
  for (const lab::LabSetting& setting : cell.settings) settings += fmt::format(" {}={}", setting.key, setting.value);
  const SampleSummary* const goodput = cell.figure("goodput_bps");
  fmt::print(stderr, "run {} of {}:{} {}\n", run, runs, forTerminal(settings),
             goodput == nullptr ? "left out, the path was late" : lab::figureText("goodput_bps", goodput->mean));
}

}  // namespace tcpscope
