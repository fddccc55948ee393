#include "core/present/html/seed_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/base/escape.h"
#include "core/present/text/lab_text.h"

namespace tcpscope::lab {

namespace {

struct SeedFigure {
  std::string_view key;
  std::string_view title;
};

constexpr std::array kSeedFigures = {
    SeedFigure{"utilization_ratio", "Link utilization"},
    SeedFigure{"jain_fairness_ratio", "Jain's fairness index over max-min shares"},
    SeedFigure{"goodput_bps.flow_one", "Throughput of Flow-1 (bit/s)"},
    SeedFigure{"goodput_bps.flow_two", "Throughput of both connections of Flow-2 (bit/s)"},
};
/// Of the picture without a page.
constexpr std::size_t kFiguresOfPicture = 2;
constexpr std::array<std::string_view, 2> kSeedBottlenecks = {"100 Mbit/s", "200 Mbit/s"};
/// Table 1, in the order of the bottlenecks.
constexpr std::array<std::string_view, 2> kFairShares = {
    "Fair throughput (Table 1): 76 Mbit/s for Flow-1 and 12 for each connection of Flow-2 with 64 KB; 33 Mbit/s for "
    "each with "
    "512 KB.",
    "Fair throughput (Table 1): 176 Mbit/s for Flow-1 and 12 for each connection of Flow-2 with 64 KB; 100 and 50 "
    "Mbit/s with "
    "512 KB."};

constexpr std::string_view kSeedStyle = R"(
:root{color-scheme:light dark;--page:#fff;--ink:#1b1f24;--soft:#57606a;--line:#d5dae0;--panel:#f3f5f7}
@media (prefers-color-scheme:dark){:root{--page:#15181c;--ink:#e6e9ec;--soft:#a9b1ba;--line:#3a424b;--panel:#1e2227}
  figure svg{filter:invert(.92) hue-rotate(180deg)}}
@media print{:root{--page:#fff;--ink:#000;--soft:#333;--line:#bbb;--panel:#f3f5f7}figure,tr{break-inside:avoid}
  figure svg{filter:none}}
*{box-sizing:border-box}
body{font:16px/1.5 system-ui,"DejaVu Sans",sans-serif;background:var(--page);color:var(--ink);margin:0 auto;max-width:72rem;
  padding:1.5rem 1rem 4rem}
h1{font-size:1.6rem;line-height:1.25}h2{margin-top:2.4rem;border-top:2px solid var(--line);padding-top:.8rem}
p.soft{color:var(--soft)}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(24rem,1fr));gap:1rem}
figure{margin:0;border:1px solid var(--line)}figure svg{display:block;width:100%;height:auto}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3rem .8rem .3rem 0;border-bottom:1px solid var(--line);
  font-variant-numeric:tabular-nums;vertical-align:top}
pre{background:var(--panel);border:1px solid var(--line);padding:.6rem .8rem;overflow-x:auto}
.wide{overflow-x:auto;margin-top:1rem}
td:nth-child(-n+3){white-space:nowrap}
)";

std::vector<LabCell> cellsOf(const SeedComparison& comparison, std::string_view bottleneck) {
  std::vector<LabCell> cells;
  for (LabCell cell : comparison.cells) {
    if (cell.settings.empty() || cell.settings.front().value != bottleneck) continue;
    cell.settings.erase(cell.settings.begin());
    cells.push_back(std::move(cell));
  }
  return cells;
}

SvgPlot plotFor(const std::vector<LabCell>& cells, std::string_view bottleneck, const SeedFigure& figure) {
  SvgPlot plot = plotOf(fmt::format("{}, {}", figure.title, bottleneck), cells, figure.key);
  plot.joinsPoints = false;
  plot.yLabel = figure.title;
  plot.xLabel = "Flow-1, against two Reno connections with windows of 64 or 512 KB";
  return plot;
}

std::string valueText(std::string_view key, const SampleSummary& summary) {
  if (key.ends_with("_ratio")) {
    const auto& interval = summary.meanInterval95;
    return fmt::format("{:.3f}{}", summary.mean,
                       interval ? fmt::format(" ± {:.3f}", interval->high - summary.mean) : std::string());
  }
  std::string text = figureText(key, summary.mean);
  if (summary.meanInterval95)
    text += fmt::format(" ± {}", figureText(key, summary.meanInterval95->high - summary.mean));
  return text;
}

/// A table's row; every cell is escaped here.
void addRow(std::string& out, std::string_view tag, const std::vector<std::string>& cells) {
  out += "<tr>";
  for (const std::string& cell : cells) fmt::format_to(std::back_inserter(out), "<{0}>{1}</{0}>", tag, forHtml(cell));
  out += "</tr>\n";
}

void addFigureTable(std::string& out, const std::vector<LabCell>& cells) {
  out += "<div class=\"wide\"><table>\n";
  std::vector<std::string> titles = {"Flow-1", "Window of Flow-2", "Runs"};
  for (const SeedFigure& figure : kSeedFigures) titles.emplace_back(figure.title);
  addRow(out, "th", titles);
  for (const LabCell& cell : cells) {
    std::vector<std::string> row;
    for (const LabSetting& setting : cell.settings) row.push_back(setting.value);
    row.push_back(cell.lateRuns == 0 ? fmt::format("{}", cell.runs)
                                     : fmt::format("{} of {}", cell.runs - cell.lateRuns, cell.runs));
    for (const SeedFigure& figure : kSeedFigures) {
      const SampleSummary* const summary = cell.figure(figure.key);
      row.push_back(summary == nullptr ? std::string("not measured") : valueText(figure.key, *summary));
    }
    addRow(out, "td", row);
  }
  out += "</table></div>\n";
}

void addStatements(std::string& out, const SeedComparison& comparison) {
  out += "<h2>The paper's statements, with windows of 512 KB</h2>\n<div class=\"wide\"><table>\n";
  addRow(out, "th", {"Link", "Statement", "This run"});
  for (const SeedStatement& statement : comparison.statements) {
    addRow(out, "td",
           {std::string(statement.bottleneck), std::string(statement.text), std::string(name(statement.outcome))});
  }
  out +=
      "</table></div>\n<p class=\"soft\">Confirmed and contradicted: the 95 % confidence intervals of both means are "
      "apart. One run "
      "has no interval and decides nothing.</p>\n";
}

}  // namespace

std::string toHtml(const SeedComparison& comparison) {
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
      "<title>Gentle HighSpeed TCP: the paper's experiments</title>\n<style>";
  out += kSeedStyle;
  out +=
      "</style>\n</head>\n<body>\n<h1>Gentle HighSpeed TCP: the paper's eight experiments on this kernel</h1>\n"
      "<p>Zhang, Hasegawa and Murata, \"Experimental Evaluations of Gentle HighSpeed TCP for Long-Fat Networks\", "
      "sections 4.3 "
      "and 4.4. One flow of each kind shares a link of 23 ms each way with two Reno connections. The paper draws its "
      "results "
      "(Figures 7 and 8) and prints no numbers with them, so that its sentences are compared.</p>\n"
      "<p>Today's kernel is not the paper's: it repairs bursts of losses by SACK and RACK-TLP where hosts of 2005 "
      "often waited for a timeout, which favours what loses many packets at once: HSTCP and parallel TCP.</p>\n";
  fmt::format_to(std::back_inserter(out), "<p class=\"soft\">{}</p>\n", forHtml(comparison.conditions));
  for (std::size_t number = 0; number < kSeedBottlenecks.size(); ++number) {
    const std::string_view bottleneck = kSeedBottlenecks[number];
    const std::vector<LabCell> cells = cellsOf(comparison, bottleneck);
    fmt::format_to(std::back_inserter(out), "<h2>{}</h2>\n<p>{}</p>\n<div class=\"figures\">\n", forHtml(bottleneck),
                   forHtml(kFairShares[number]));
    for (const SeedFigure& figure : kSeedFigures) {
      out += "<figure>" + tcpscope::toSvg(plotFor(cells, bottleneck, figure)) + "</figure>\n";
    }
    out += "</div>\n";
    addFigureTable(out, cells);
  }
  addStatements(out, comparison);
  if (!comparison.notes.empty()) {
    out += "<h2>Notes on the runs</h2>\n<details><summary>Losses, and runs that were left out</summary>\n<ul>\n";
    for (const std::string& note : comparison.notes) out += "<li>" + forHtml(note) + "</li>\n";
    out += "</ul>\n</details>\n";
  }
  out += "<h2>Commands</h2>\n<pre>";
  for (const std::string& command : comparison.commands) out += forHtml(command) + "\n";
  out += "</pre>\n</body>\n</html>\n";
  return out;
}

std::string toSvg(const SeedComparison& comparison) {
  constexpr int kPanelWidth = 800;
  constexpr int kPanelHeight = 480;
  constexpr std::string_view kStart = "<svg ";
  std::string out = fmt::format(R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {}">)"
                                "\n",
                                kPanelWidth * 2, kPanelHeight * 2);
  for (std::size_t row = 0; row < kSeedBottlenecks.size(); ++row) {
    const std::vector<LabCell> cells = cellsOf(comparison, kSeedBottlenecks[row]);
    for (std::size_t column = 0; column < kFiguresOfPicture; ++column) {
      std::string panel = tcpscope::toSvg(plotFor(cells, kSeedBottlenecks[row], kSeedFigures[column]));
      panel.insert(kStart.size(), fmt::format(R"(x="{}" y="{}" width="{}" height="{}" )", column * kPanelWidth,
                                              row * kPanelHeight, kPanelWidth, kPanelHeight));
      out += panel;
    }
  }
  return out + "</svg>\n";
}

}  // namespace tcpscope::lab
