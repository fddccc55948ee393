#include "core/present/html/paper_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/base/escape.h"
#include "core/present/html/paper_distribution.h"
#include "core/present/html/paper_plots.h"
#include "core/present/json/lab_document.h"
#include "core/present/text/lab_text.h"

namespace tcpscope::lab {

namespace {

constexpr std::string_view kPaperStyle = R"(
:root{color-scheme:light dark;--page:#fff;--ink:#1b1f24;--soft:#57606a;--line:#d5dae0;--panel:#f3f5f7}
@media (prefers-color-scheme:dark){:root{--page:#15181c;--ink:#e6e9ec;--soft:#a9b1ba;--line:#3a424b;--panel:#1e2227}
  figure svg{filter:invert(.92) hue-rotate(180deg)}}
@media print{:root{--page:#fff;--ink:#000;--soft:#333;--line:#bbb;--panel:#f3f5f7}figure,tr,pre{break-inside:avoid}h2,h3{break-after:avoid}
  figure svg{filter:none}}
*{box-sizing:border-box}
body{font:16px/1.5 system-ui,"DejaVu Sans",sans-serif;background:var(--page);color:var(--ink);margin:0 auto;max-width:72rem;
  padding:1.5rem 1rem 4rem}
h1{font-size:1.6rem;line-height:1.25}h2{font-size:1.35rem;margin-top:2.8rem;border-top:2px solid var(--line);padding-top:.8rem}
h3{margin:2rem 0 .3rem}p{margin:.5rem 0}p.soft{color:var(--soft)}a{color:inherit}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,24rem),1fr));gap:1rem}
figure{margin:0;max-width:48rem;border:1px solid var(--line)}figure svg{display:block;width:100%;height:auto}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3rem .8rem .3rem 0;border-bottom:1px solid var(--line);
  font-variant-numeric:tabular-nums;vertical-align:top}
pre{background:var(--panel);border:1px solid var(--line);padding:.6rem .8rem;overflow-x:auto}
.wide{overflow-x:auto;margin-top:1rem}
td:first-child,.numbers td{white-space:nowrap}.numbers{font-size:.88rem}
td.confirmed,td.contradicted,td.undecided{font-weight:600;white-space:nowrap}
td.confirmed::before{content:"✓ "}td.contradicted::before{content:"✗ "}td.undecided::before{content:"≈ "}
details{margin-top:.8rem}summary{cursor:pointer}li{overflow-wrap:anywhere}
@media print{@page{margin:12mm}body{font-size:10pt;max-width:none;padding:0}td:first-child,.numbers td{white-space:normal}
  .wide{overflow:visible}.numbers{font-size:6.5pt;line-height:1.25}.numbers th,.numbers td{padding:.2rem .4rem .2rem 0}
  .figures{grid-template-columns:1fr 1fr}pre{white-space:pre-wrap;overflow-wrap:anywhere}
  details::details-content{content-visibility:visible}}
)";

constexpr std::string_view kLatenessKey = "lateness_p999_us";

std::string valueText(std::string_view key, const SampleSummary& summary) {
  const bool isRatio = key.substr(0, key.find('.')).ends_with("_ratio");
  const auto text = [&](double value) { return isRatio ? fmt::format("{:.3f}", value) : figureText(key, value); };
  std::string result = text(summary.mean);
  if (summary.meanInterval95) result += fmt::format(" ± {}", text(summary.meanInterval95->high - summary.mean));
  if (summary.standardDeviation) result += fmt::format(" (SD {})", text(*summary.standardDeviation));
  return result;
}

/// Columns of a section's table: the figures that it draws.
struct FigureColumn {
  std::string key;
  std::string title;
};

std::vector<FigureColumn> columnsOf(const PaperSection& section) {
  std::vector<FigureColumn> columns;
  for (const PaperPlot& plot : section.plots) {
    // It has a table of its own.
    if (plot.kind == PaperPlotKind::runs) continue;
    // In its unit where it is drawn as it is.
    const std::string title = plot.unit == 1.0 ? plot.yLabel.substr(0, plot.yLabel.find(" (")) : plot.title;
    for (const auto& [key, label] : plot.figures) {
      // Several plots show the same hosts.
      const bool isOfHost = key.starts_with("cpu_") || key.starts_with("socket_memory_");
      columns.push_back({key, label.empty() ? title : isOfHost ? fmt::format("{}, {}", title, label) : label});
    }
  }
  if (section.drawsLossIntervals) {
    columns.push_back({"drops_within_hundredth_rtt_ratio", "Drops within 0.01 RTT"});
    columns.push_back({"drops_within_rtt_ratio", "Drops within 1 RTT"});
    columns.push_back({"drops", "Drops a run"});
  }
  columns.push_back({std::string(kLatenessKey), "Lateness of the path, 99.9 %"});
  return columns;
}

class Page {
public:
  explicit Page(std::string_view title) {
    add("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n",
        forHtml(title), kPaperStyle);
  }

  std::string finish() {
    m_text += "</body>\n</html>\n";
    return std::move(m_text);
  }

  void paragraph(std::string_view text, bool isSoft = false) {
    if (!text.empty()) add("<p{}>{}</p>\n", isSoft ? " class=\"soft\"" : "", forHtml(text));
  }

  void addOverview(std::span<const PaperComparison> comparisons) {
    m_text += "<h2>Every figure and table</h2>\n";
    openTable({"Paper", "Figure", "Result"});
    for (const PaperComparison& comparison : comparisons) {
      const std::vector<StatementOutcome> outcomes = judgeStatements(comparison);
      for (std::size_t number = 0; number < comparison.sections.size(); ++number) {
        const PaperSection& section = comparison.paper.sections[number];
        add("<tr><td>{0}</td><td><a href=\"#{1}\">{2}</a></td><td>{3}</td></tr>\n", forHtml(comparison.paper.number),
            anchorOf(comparison.paper, section), forHtml(section.name),
            forHtml(resultText(comparison, number, outcomes)));
      }
      for (const PaperOmission& omission : comparison.paper.omissions) {
        row({comparison.paper.number, omission.what, "not repeated: " + omission.reason});
      }
    }
    closeTable();
  }

  void addPaper(const PaperComparison& comparison, bool isOnly) {
    const Paper& paper = comparison.paper;
    if (!isOnly) add("<h2>{}: {}</h2>\n", forHtml(paper.number), forHtml(paper.title));
    paragraph(paper.source);
    paragraph(paper.kernel);
    paragraph(comparison.conditions, true);
    addStatements(comparison);
    for (std::size_t number = 0; number < paper.sections.size(); ++number) {
      addSection(paper, paper.sections[number], comparison.sections[number]);
    }
    if (!isOnly || paper.omissions.empty()) return;
    m_text += "<h3>Not repeated</h3>\n";
    openTable({"Figure", "Reason"});
    for (const PaperOmission& omission : paper.omissions) row({omission.what, omission.reason});
    closeTable();
  }

private:
  template <class... Values>
  void add(fmt::format_string<Values...> form, Values&&... values) {
    fmt::format_to(std::back_inserter(m_text), form, std::forward<Values>(values)...);
  }
  void row(const std::vector<std::string>& cells, std::string_view tag = "td") {
    m_text += "<tr>";
    for (const std::string& cell : cells) add("<{0}>{1}</{0}>", tag, forHtml(cell));
    m_text += "</tr>\n";
  }
  void openTable(const std::vector<std::string>& titles, bool hasNumbers = false) {
    add("<div class=\"wide\"><table{}>\n", hasNumbers ? " class=\"numbers\"" : "");
    row(titles, "th");
  }
  void closeTable() { m_text += "</table></div>\n"; }

  static std::string anchorOf(const Paper& paper, const PaperSection& section) {
    std::string anchor = "p" + paper.number + "-";
    for (const char letter : section.name) anchor += letter == ' ' ? '-' : letter;
    return forHtml(anchor);
  }

  /// "redone; 2 confirmed, 1 contradicted".
  static std::string resultText(const PaperComparison& comparison, std::size_t number,
                                const std::vector<StatementOutcome>& outcomes) {
    if (!hasFigures(comparison.sections[number])) {
      const auto& notes = comparison.sections[number].notes;
      return notes.empty() ? "not measured" : notes.front();
    }
    std::string text = "redone";
    for (const StatementOutcome outcome :
         {StatementOutcome::confirmed, StatementOutcome::contradicted, StatementOutcome::undecided}) {
      std::size_t count = 0;
      for (std::size_t statement = 0; statement < outcomes.size(); ++statement) {
        if (comparison.paper.statements[statement].section == comparison.paper.sections[number].name &&
            outcomes[statement] == outcome) {
          ++count;
        }
      }
      if (count > 0) text += fmt::format("{} {} {}", text == "redone" ? ";" : ",", count, name(outcome));
    }
    return text;
  }

  void addStatements(const PaperComparison& comparison) {
    const std::vector<StatementOutcome> outcomes = judgeStatements(comparison);
    if (outcomes.empty()) return;
    m_text += "<h3>What the paper states</h3>\n";
    openTable({"Figure", "Statement", "Here"});
    for (std::size_t number = 0; number < outcomes.size(); ++number) {
      const PaperStatement& statement = comparison.paper.statements[number];
      const std::string_view outcome = name(outcomes[number]);
      add("<tr><td>{}</td><td>{}</td><td class=\"{}\">{}</td></tr>\n", forHtml(statement.section),
          forHtml(statement.text), outcome.substr(0, outcome.find(' ')), outcome);
    }
    closeTable();
    paragraph(
        "Confirmed and contradicted: the 95 % confidence intervals of both means are apart, or an interval is apart "
        "from the printed value. One run has no interval and decides nothing.",
        true);
  }

  void addSection(const Paper& paper, const PaperSection& section, const MeasuredSection& measured) {
    add("<h3 id=\"{}\">{}: {}</h3>\n", anchorOf(paper, section), forHtml(section.name), forHtml(section.title));
    paragraph(section.printed);
    paragraph(section.remark);
    if (section.drawsLossIntervals) paragraph(dropIntervalSentence(measured));
    for (const std::string& fit : measured.fits) paragraph("Here: " + fit + ".");
    for (const MeasuredOptimum& optimum : optimaOf(section, measured)) paragraph(optimumSentence(section, optimum));
    if (hasFigures(measured)) {
      m_text += "<div class=\"figures\">\n";
      for (const PaperPicture& picture : picturesOf(section, measured, PictureTable::leftOut))
        m_text += "<figure>" + picture.svg + "</figure>\n";
      m_text += "</div>\n";
      addDistributions(section, measured);
    } else {
      paragraph("Nothing was measured.");
    }
    if (!measured.cells.empty()) addCells(section, measured.cells);
    addDetails("Notes on the runs", measured.notes, "ul", "li");
    addDetails("Commands", measured.commands, "pre", "");
  }

  void addDistributions(const PaperSection& section, const MeasuredSection& measured) {
    for (const PaperPlot& plot : section.plots) {
      if (plot.kind != PaperPlotKind::runs) continue;
      const std::vector<std::vector<std::string>> rows = distributionTable(section, plot, measured);
      openTable(rows.front(), true);
      for (std::size_t number = 1; number < rows.size(); ++number) row(rows[number]);
      closeTable();
      paragraph(
          "One point a run, in the order of the runs. Here: a box from the lower to the upper quartile with the "
          "median, "
          "and lines to the 5 % and 95 % quantiles, from four runs on. Printed: the mean (diamond) with one standard "
          "deviation each way, and the median (line).",
          true);
    }
  }

  void addDetails(std::string_view title, const std::vector<std::string>& lines, std::string_view list,
                  std::string_view item) {
    if (lines.empty()) return;
    add("<details{}><summary>{}</summary>\n<{}>", lines.size() <= 2 ? " open" : "", title, list);
    for (const std::string& line : lines) {
      if (item.empty()) {
        m_text += forHtml(line) + "\n";
      } else {
        add("<{0}>{1}</{0}>\n", item, forHtml(line));
      }
    }
    add("</{}></details>\n", list);
  }

  void addCells(const PaperSection& section, const std::vector<LabCell>& cells) {
    const std::vector<FigureColumn> columns = columnsOf(section);
    std::vector<std::string> titles;
    for (const LabSetting& setting : cells.front().settings) titles.push_back(setting.key);
    titles.emplace_back("Runs");
    for (const FigureColumn& column : columns) titles.push_back(column.title);
    openTable(titles, true);
    for (const LabCell& cell : cells) {
      std::vector<std::string> values;
      for (const LabSetting& setting : cell.settings) values.push_back(setting.value);
      values.push_back(cell.lateRuns == 0 ? fmt::format("{}", cell.runs)
                                          : fmt::format("{} of {}", cell.runs - cell.lateRuns, cell.runs));
      for (const FigureColumn& column : columns) {
        const SampleSummary* const summary = cell.figure(column.key);
        // Of the machine, one number is enough.
        values.push_back(summary == nullptr           ? std::string("not measured")
                         : column.key == kLatenessKey ? figureText(kLatenessKey, summary->mean)
                                                      : valueText(column.key, *summary));
      }
      row(values);
    }
    closeTable();
  }

  std::string m_text;
};

}  // namespace

std::string toHtml(const PaperComparison& comparison) {
  Page page(comparison.paper.title + ": the paper's experiments on this kernel");
  page.addPaper(comparison, true);
  return page.finish();
}

std::string toHtml(std::span<const PaperComparison> comparisons) {
  Page page("The papers behind tcpscope, measured on this machine");
  page.paragraph(
      "Every figure and table of the papers that the lab can repeat, beside what they print. All figures are from real "
      "transfers of this kernel over an emulated path; runs whose path was late are left out.");
  page.addOverview(comparisons);
  for (const PaperComparison& comparison : comparisons) page.addPaper(comparison, false);
  return page.finish();
}

std::string toSvg(const PaperComparison& comparison) {
  constexpr std::size_t kPanelWidth = 800;
  constexpr std::size_t kColumns = 2;
  constexpr std::string_view kStart = "<svg ";
  std::vector<PaperPicture> panels;
  for (std::size_t number = 0; number < comparison.sections.size(); ++number) {
    for (PaperPicture& panel :
         picturesOf(comparison.paper.sections[number], comparison.sections[number], PictureTable::drawn)) {
      panels.push_back(std::move(panel));
    }
  }
  std::string drawn;
  double top = 0.0;
  double height = 0.0;
  for (std::size_t number = 0; number < panels.size(); ++number) {
    const std::size_t column = number % kColumns;
    if (column == 0) {
      top += height;
      height = 0.0;
    }
    height = std::max(height, panels[number].height);
    std::string& panel = panels[number].svg;
    panel.insert(kStart.size(), fmt::format(R"(x="{}" y="{}" width="{}" height="{}" )", column * kPanelWidth, top,
                                            kPanelWidth, panels[number].height));
    drawn += panel;
  }
  constexpr double kWithoutPanels = 480;
  const std::size_t columns = std::clamp<std::size_t>(panels.size(), 1, kColumns);
  std::string out = fmt::format(R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {}">)"
                                "\n",
                                kPanelWidth * columns, panels.empty() ? kWithoutPanels : top + height);
  out += drawn;
  return out + "</svg>\n";
}

std::string toCsv(const PaperComparison& comparison) {
  // Sections have different axes: the settings stand in one column.
  std::vector<LabCell> cells;
  for (std::size_t number = 0; number < comparison.sections.size(); ++number) {
    for (LabCell cell : comparison.sections[number].cells) {
      std::string settings;
      for (const LabSetting& setting : cell.settings) {
        settings += fmt::format("{}{}={}", settings.empty() ? "" : "; ", setting.key, setting.value);
      }
      cell.settings = {{"section", comparison.paper.sections[number].name}, {"settings", settings}};
      cells.push_back(std::move(cell));
    }
  }
  const bool hasRuns = std::ranges::any_of(cells, [](const LabCell& cell) { return !cell.runValues.empty(); });
  return toCsv(cells, hasRuns ? CsvRuns::listed : CsvRuns::leftOut);
}

}  // namespace tcpscope::lab
