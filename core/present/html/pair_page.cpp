#include "core/present/html/pair_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "core/base/escape.h"
#include "core/present/html/report_appendix.h"
#include "core/present/html/report_sections.h"
#include "core/present/report/report_plots.h"
#include "core/present/text/capture_text.h"
#include "core/present/text/comparison_text.h"
#include "core/present/text/diagnosis_text.h"
#include "core/present/text/quantity_text.h"
#include "core/present/text/report_text.h"
#include "core/present/text/source_text.h"
#include "core/session/history_events.h"
#include "core/session/transfer_stretch.h"

namespace tcpscope {

namespace {

constexpr std::string_view kNotCompared =
    "No comparison of the rates: too few samples of one of them, or its rate was not steady.";

/// On the first pages; all are in the appendix.
constexpr std::size_t kMostSettings = 10;
constexpr std::size_t kAllSettings = std::numeric_limits<std::size_t>::max();

using BothTexts = std::array<std::string, 2>;

const ConnectionDetail& heaviest(const ReportModel& report) {
  return *report.connections.front().detail;
}

/// What both have, by name in the order in which it is met; "–" on the side that does not have it.
class SideBySide {
public:
  void add(const std::string& name, std::size_t side, std::string text) {
    auto row = std::find_if(m_rows.begin(), m_rows.end(), [&](const auto& one) { return one.first == name; });
    if (row == m_rows.end()) row = m_rows.insert(row, {name, {"–", "–"}});
    row->second.at(side) = std::move(text);
  }

  [[nodiscard]] ReportTable table(std::string caption) const {
    ReportTable table{std::move(caption), {"What", "First", "Second"}, {}};
    for (const auto& [name, texts] : m_rows) table.rows.push_back({name, texts[0], texts[1]});
    return table;
  }

private:
  std::vector<std::pair<std::string, BothTexts>> m_rows;
};

void addPlace(SideBySide& rows, std::size_t side, const ReportModel& report) {
  for (const Place& place : report.places) rows.add("Host", side, sentence(place, report.places));
  rows.add("Time", side, formatWallTime(report.time));
  if (std::string lost = lossSentences(report.captureGaps); !lost.empty())
    rows.add("Incomplete", side, std::move(lost));
  if (!report.recording) return;
  if (!report.recording->note.empty()) rows.add("Comment", side, forPlainText(report.recording->note));
  if (!report.recording->isWhole()) rows.add("The recording is", side, damageText(*report.recording));
}

void addConnection(SideBySide& rows, std::size_t side, const ReportModel& report) {
  const ConnectionDetail& detail = heaviest(report);
  const ConnectionDiagnosis& diagnosis = detail.diagnosis;
  rows.add("Connection", side, fmt::format("{} – {}", detail.socket.local.toString(), detail.socket.remote.toString()));
  rows.add("Verdict", side, brief(diagnosis.verdict, diagnosis.bulk));
  rows.add("Confidence", side, confidenceFigure(diagnosis.verdict));
  for (const SideDiagnosis* one : sidesOf(diagnosis)) {
    if (one->side != diagnosis.bulk) continue;
    rows.add("Rate", side, rateText(detail, *one));
    if (const std::string shares = sharesText(one->limits); !shares.empty()) rows.add("Limits", side, shares);
  }
  if (const auto from = detail.history.firstTime()) {
    const Moment to = *detail.history.lastTime();
    rows.add("Observed for", side, formatTime(toSeconds(to - *from)));
    if (const auto rtt = smallestRtt(detail.history, *from, to)) {
      rows.add("Minimum RTT", side, formatTime(toSeconds(*rtt)));
    }
  }
  for (const auto& [kind, times] : timesByKind(detail.events)) {
    rows.add(std::string(titleOf(detail, kind)), side, std::to_string(times));
  }
  for (NamedText& text : negotiatedTexts(detail.socket)) rows.add(text.first, side, std::move(text.second));
}

/// What one side has and the other does not have is 0 there, where both count alike: packets count other events than
/// samples.
void addMissingCounts(SideBySide& rows, const ReportPair& pair) {
  if (pair.first.connections.empty() || pair.second.connections.empty()) return;
  const std::array details = {&heaviest(pair.first), &heaviest(pair.second)};
  if (bool(details[0]->packets) != bool(details[1]->packets)) return;
  const std::array times = {timesByKind(details[0]->events), timesByKind(details[1]->events)};
  for (std::size_t side = 0; side < times.size(); ++side) {
    for (const auto& [kind, count] : times[side]) {
      if (!times[1 - side].contains(kind)) rows.add(std::string(titleOf(*details[side], kind)), 1 - side, "0");
    }
  }
}

std::string verdictNote(const ReportPair& pair) {
  const auto verdict = [](const ReportModel& report) { return verdictSentence(heaviest(report)); };
  if (*pair.isSameVerdict()) return fmt::format("Both verdicts are the same: {}", verdict(pair.second));
  return fmt::format("First: {} Second: {}", verdict(pair.first), verdict(pair.second));
}

void addOverview(std::vector<ReportBlock>& blocks, const ReportPair& pair) {
  if (!pair.isSameVerdict()) {
    blocks.emplace_back(
        ReportVerdict{fmt::format("Nothing to compare: no connection of the {} carried data while it was observed.",
                                  pair.first.connections.empty() ? "first" : "second"),
                      {}});
  } else {
    blocks.emplace_back(ReportVerdict{
        pair.goodput ? sentence(*pair.goodput, SampleKind::blocks, kSecondAgainstFirst) : std::string(kNotCompared),
        verdictNote(pair)});
  }
  SideBySide rows;
  std::size_t side = 0;
  for (const ReportModel* report : {&pair.first, &pair.second}) {
    addPlace(rows, side, *report);
    if (!report->connections.empty()) addConnection(rows, side, *report);
    ++side;
  }
  addMissingCounts(rows, pair);
  blocks.emplace_back(rows.table("The busiest connection of each, side by side"));
  if (pair.goodput) {
    blocks.emplace_back(
        ReportParagraph{"Compared are blocks of goodput, each long enough to be independent of the next. Other "
                        "differences between the two are included in the figure."});
  }
}

/// `most`: rows of the table.
void addSettings(std::vector<ReportBlock>& blocks, const ReportPair& pair, std::size_t most) {
  blocks.emplace_back(ReportHeading{3, "Different settings"});
  if (!knowsSettings(pair)) {
    blocks.emplace_back(
        ReportParagraph{"The settings of a host are unknown here, so none are compared; a capture contains none."});
    return;
  }
  ReportTable table{"Settings of the two hosts", {"Setting", "First", "Second"}, {}};
  const auto shown = [](const std::optional<std::string>& value) {
    return value ? forPlainText(UntrustedText(*value)) : std::string("not reported");
  };
  const std::vector<PairedSetting> different = differentSettings(pair);
  for (const PairedSetting& setting : different) {
    if (table.rows.size() == most) {
      table.caption += fmt::format(": {} of {}, the whole report has all", most, different.size());
      break;
    }
    table.rows.push_back({forPlainText(UntrustedText(setting.key)), shown(setting.first), shown(setting.second)});
  }
  if (table.rows.empty()) {
    blocks.emplace_back(ReportParagraph{"All settings that both hosts report are the same."});
  } else {
    blocks.emplace_back(std::move(table));
  }
}

void take(TimePlot& both, TimePlot& one, std::string_view which, std::size_t mostTraces) {
  both.seconds = std::max(both.seconds, one.seconds);
  both.sentence +=
      fmt::format("{}{}: {}", both.sentence.empty() ? "" : " ", which == "first" ? "First" : "Second", one.sentence);
  for (std::size_t trace = 0; trace < std::min(one.traces.size(), mostTraces); ++trace) {
    both.traces.push_back(std::move(one.traces[trace]));
    both.traces.back().endSeconds = one.seconds;
    both.traces.back().label += fmt::format(", {}", which);
  }
}

/// Plots of both over the time since each started: the first traces in the same axes, strips one below the other.
void addPlots(std::vector<ReportBlock>& blocks, const ReportPair& pair, bool isSummary) {
  std::vector<TimePlot> first = plotsOf(heaviest(pair.first));
  std::vector<TimePlot> second = plotsOf(heaviest(pair.second));
  if (first.empty() && second.empty()) return;
  blocks.emplace_back(ReportHeading{3, "Both over time, since the first sample of each"});
  for (TimePlot& plot : first) {
    if (isOfSummary(plot) != isSummary) continue;
    const auto other =
        std::find_if(second.begin(), second.end(), [&](const TimePlot& one) { return one.title == plot.title; });
    if (other == second.end()) continue;
    blocks.emplace_back(ReportHeading{4, plot.title});
    if (plot.isStrip() || other->isStrip()) {
      // One below the other, in the same scale.
      plot.seconds = other->seconds = std::max(plot.seconds, other->seconds);
      blocks.emplace_back(ReportParagraph{"The first:"});
      blocks.emplace_back(ReportFigure{std::move(plot)});
      blocks.emplace_back(ReportParagraph{"The second:"});
      blocks.emplace_back(ReportFigure{std::move(*other)});
      continue;
    }
    TimePlot both;
    both.title = plot.title;
    both.quantity = plot.quantity;
    take(both, plot, "first", 1);
    take(both, *other, "second", 1);
    blocks.emplace_back(ReportFigure{std::move(both)});
  }
}

/// For whom it is, as the second says, and the files of both.
ReportFacts coverOf(const ReportPair& pair) {
  ReportFacts facts = tcpscope::coverOf(pair.second);
  std::erase_if(facts.rows, [](const auto& row) { return row.first == "File" || row.first == "SHA-256"; });
  std::string_view which = "first";
  for (const ReportModel* report : {&pair.first, &pair.second}) {
    for (auto& [name, text] : tcpscope::coverOf(*report).rows) {
      if (name != "File" && name != "SHA-256") continue;
      facts.rows.emplace_back(fmt::format("{}, {}", name, which), std::move(text));
    }
    which = "second";
  }
  return facts;
}

template <class Value>
std::vector<Value> joined(std::vector<Value> values, const std::vector<Value>& more) {
  values.insert(values.end(), more.begin(), more.end());
  return values;
}

}  // namespace

ReportPage pageOf(const ReportPair& pair, ReportExtent extent) {
  ReportPage page;
  page.title = "TCP comparison";
  page.origin = originOf(pair.second);
  page.logo = pair.second.cover.logo;
  page.cover = coverOf(pair);
  page.summaries = 1;
  addOverview(page.blocks, pair);
  const bool hasBoth = pair.isSameVerdict().has_value();
  if (hasBoth) {
    addSettings(page.blocks, pair, kMostSettings);
    addPlots(page.blocks, pair, true);
  }
  if (extent == ReportExtent::brief) return page;
  page.blocks.emplace_back(ReportPageBreak{});
  page.blocks.emplace_back(ReportHeading{2, "Appendix"});
  if (hasBoth) {
    if (differentSettings(pair).size() > kMostSettings) addSettings(page.blocks, pair, kAllSettings);
    addPlots(page.blocks, pair, false);
    addConnection(page.blocks, pair.first.connections.front(), pair.first.clock, 0, 2);
    addConnection(page.blocks, pair.second.connections.front(), pair.second.clock, 1, 2);
  }
  const auto top = [](const ReportModel& report) {
    return report.connections.empty() ? std::vector<ReportedConnection>()
                                      : std::vector<ReportedConnection>{report.connections.front()};
  };
  addAppendix(page.blocks, joined(pair.first.gaps, pair.second.gaps),
              joined(pair.first.captureGaps, pair.second.captureGaps), {}, joined(top(pair.first), top(pair.second)));
  return page;
}

}  // namespace tcpscope
