#include "app/pdf/pdf_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "app/pdf/cairo_canvas.h"
#include "app/pdf/column_widths.h"
#include "app/pdf/pdf_paper.h"

namespace tcpscope {

namespace {

constexpr double kBelowBlock = 6;
constexpr double kBetweenColumns = 8;
constexpr double kPlotScale = PdfPaper::kWidth / kPlotWidth;

class PdfWriter {
public:
  explicit PdfWriter(PdfPaper& paper) : m_paper(paper) {}

  /// Of the axes of plots from here on, as a share of their own.
  void setPlotHeight(double ratio) { m_plotHeightRatio = ratio; }

  void writeHead(const ReportPage& page) {
    double width = PdfPaper::kWidth;
    if (page.logo) width -= showLogo(*page.logo) + kBetweenColumns;
    m_paper.flow(page.title, PdfPaper::kLeft, width, {17.0, true});
    m_paper.flow(page.origin, PdfPaper::kLeft, width, {9.0, false, false, PlotInk::quietText});
    m_paper.advance(kBelowBlock);
    if (page.logo) m_paper.advance(std::max(0.0, m_logoBottom - m_paper.y()));
    // Narrow: a SHA-256 stays in one line.
    constexpr double kNames = 90;
    if (!page.cover.rows.empty()) showFacts(page.cover, kNames);
  }

  void write(std::span<const ReportBlock> blocks) {
    for (std::size_t index = 0; index < blocks.size(); ++index) {
      if (std::holds_alternative<ReportHeading>(blocks[index])) keepHeading(blocks, index);
      std::visit(*this, blocks[index]);
    }
  }

  void operator()(const ReportPageBreak& /*unused*/) { m_paper.startPage(); }

  void operator()(const ReportHeading& heading) {
    const TextStyle style = headingStyle(heading);
    if (!m_paper.isAtTop()) m_paper.advance(heading.level == 2 ? 14 : 6);
    if (heading.level == 2) {
      m_paper.rule(PdfPaper::kLeft, m_paper.y(), PdfPaper::kWidth);
      m_paper.advance(6);
    }
    m_paper.flow(heading.text, PdfPaper::kLeft, PdfPaper::kWidth, style);
    m_paper.advance(2);
  }

  void operator()(const ReportParagraph& paragraph) {
    m_paper.flow(paragraph.text, PdfPaper::kLeft, PdfPaper::kWidth, {});
    m_paper.advance(kBelowBlock);
  }

  void operator()(const ReportVerdict& verdict) {
    const TextStyle says{12.0, true};
    const TextStyle sure{9.5, false, false, PlotInk::quietText};
    constexpr double kPad = 10;
    const double width = PdfPaper::kWidth - 2 * kPad - 4;
    const auto lines = m_paper.broken(verdict.text, width, says);
    const auto notes = verdict.note.empty() ? std::vector<std::string>() : m_paper.broken(verdict.note, width, sure);
    const double height = 2 * kPad + static_cast<double>(lines.size()) * says.lineHeight() +
                          static_cast<double>(notes.size()) * sure.lineHeight();
    m_paper.keepTogether(height);
    double y = m_paper.y();
    m_paper.panel(PdfPaper::kLeft, y, PdfPaper::kWidth, height);
    CairoCanvas(m_paper.context(), m_paper.text()).rectangle({PdfPaper::kLeft, y}, 4, height, PlotInk::firstTrace);
    y += kPad;
    for (const std::string& line : lines) {
      m_paper.show(line, PdfPaper::kLeft + 4 + kPad, y, says);
      y += says.lineHeight();
    }
    for (const std::string& line : notes) {
      m_paper.show(line, PdfPaper::kLeft + 4 + kPad, y, sure);
      y += sure.lineHeight();
    }
    m_paper.advance(height + kBelowBlock);
  }

  void operator()(const ReportFacts& facts) {
    constexpr double kNames = 130;
    showFacts(facts, kNames);
  }

  void showFacts(const ReportFacts& facts, double names) {
    const std::array<double, 2> widths = {names, PdfPaper::kWidth - names};
    for (const auto& [name, text] : facts.rows) {
      const std::array<std::string, 2> cells = {name, text};
      showRow(cells, widths, {9.5}, PlotInk::quietText);
    }
    m_paper.advance(kBelowBlock);
  }

  void operator()(const ReportItems& items) {
    constexpr double kIndent = 14;
    const TextStyle style;
    for (const std::string& item : items.items) {
      m_paper.keepTogether(style.lineHeight());
      m_paper.show("•", PdfPaper::kLeft + 3, m_paper.y(), style);
      m_paper.flow(item, PdfPaper::kLeft + kIndent, PdfPaper::kWidth - kIndent, style);
    }
    m_paper.advance(kBelowBlock);
  }

  void operator()(const ReportLines& lines) {
    const TextStyle style{8.5, false, true};
    constexpr double kPad = 6;
    m_paper.keepTogether(4 * style.lineHeight());
    m_paper.flow(lines.title + ":", PdfPaper::kLeft, PdfPaper::kWidth, {9.5, false, false, PlotInk::quietText});
    for (const std::string& whole : lines.lines) {
      for (const std::string& line : m_paper.broken(whole, PdfPaper::kWidth - 2 * kPad, style)) {
        m_paper.keepTogether(style.lineHeight());
        m_paper.panel(PdfPaper::kLeft, m_paper.y(), PdfPaper::kWidth, style.lineHeight() + 0.5);
        m_paper.show(line, PdfPaper::kLeft + kPad, m_paper.y(), style);
        m_paper.advance(style.lineHeight());
      }
    }
    m_paper.advance(kBelowBlock);
  }

  void operator()(const ReportTable& table) {
    constexpr TextStyle kTitles{8.5, true};
    constexpr TextStyle kTexts{8.5};
    constexpr double kRule = 6;
    const auto widthOf = [&](const std::string& text, CellKind kind) {
      return m_paper.widthOf(text, kind == CellKind::title ? kTitles : kTexts);
    };
    const std::vector<double> widths = columnWidths(table, PdfPaper::kWidth, kBetweenColumns, widthOf);
    m_paper.keepTogether(60);
    m_paper.flow(table.caption, PdfPaper::kLeft, PdfPaper::kWidth, {9.0, false, false, PlotInk::quietText});
    showRow(table.columns, widths, kTitles, PlotInk::text);
    m_paper.rule(PdfPaper::kLeft, m_paper.y(), PdfPaper::kWidth);
    for (const auto& row : table.rows) {
      // No page begins with the last row alone.
      if (table.rows.size() > 1 && &row == &table.rows.back() - 1) {
        m_paper.keepTogether(rowHeight(row, widths, kTexts) + rowHeight(table.rows.back(), widths, kTexts) + kRule);
      }
      m_paper.advance(2);
      showRow(row, widths, kTexts, PlotInk::text);
      m_paper.rule(PdfPaper::kLeft, m_paper.y(), PdfPaper::kWidth);
    }
    m_paper.advance(kBelowBlock);
  }

  void operator()(const ReportFigure& figure) {
    const TextStyle style;
    const auto says = m_paper.broken(figure.plot.sentence, PdfPaper::kWidth, style);
    const TimePlot plot = fitted(figure.plot);
    const double height = plotHeight(plot) * kPlotScale;
    m_paper.keepTogether(height + static_cast<double>(says.size()) * style.lineHeight());
    cairo_t* context = m_paper.context();
    cairo_save(context);
    cairo_translate(context, PdfPaper::kLeft, m_paper.y());
    cairo_scale(context, kPlotScale, kPlotScale);
    CairoCanvas canvas(context, m_paper.text());
    draw(plot, canvas);
    cairo_restore(context);
    m_paper.advance(height);
    m_paper.flow(figure.plot.sentence, PdfPaper::kLeft, PdfPaper::kWidth, style);
    m_paper.advance(kBelowBlock);
  }

private:
  [[nodiscard]] TimePlot fitted(TimePlot plot) const {
    plot.axesHeight = axesHeight(plot) * m_plotHeightRatio;
    return plot;
  }

  /// At the right edge of the head; returns its width.
  double showLogo(const ReportLogo& logo) {
    constexpr double kMostWidth = 130;
    constexpr double kMostHeight = 48;
    const double scale = std::min({kMostWidth / logo.width, kMostHeight / logo.height, 1.0});
    const double width = scale * logo.width;
    m_logoBottom = m_paper.y() + scale * logo.height + kBelowBlock;
    m_paper.image(logo.png, PdfPaper::kLeft + PdfPaper::kWidth - width, m_paper.y(), scale);
    return width;
  }

  static TextStyle headingStyle(const ReportHeading& heading) {
    constexpr std::array<double, 3> kSizes = {14.0, 11.5, 10.0};
    return {kSizes.at(static_cast<std::size_t>(std::clamp(heading.level, 2, 4) - 2)), true};
  }

  /// A heading stays with what it heads: with a plot the whole of it, else with some lines.
  void keepHeading(std::span<const ReportBlock> blocks, std::size_t index) {
    double height = 0.0;
    for (; index < blocks.size(); ++index) {
      if (const auto* heading = std::get_if<ReportHeading>(&blocks[index])) {
        height += headingStyle(*heading).lineHeight() + 22;
        continue;
      }
      constexpr double kSomeLines = 45;
      const auto* figure = std::get_if<ReportFigure>(&blocks[index]);
      height += figure != nullptr ? plotHeight(fitted(figure->plot)) * kPlotScale + kSomeLines : kSomeLines;
      break;
    }
    m_paper.keepTogether(height);
  }

  template <class Cells, class Widths>
  [[nodiscard]] double rowHeight(const Cells& cells, const Widths& widths, TextStyle style) const {
    std::size_t most = 1;
    for (std::size_t column = 0; column < cells.size(); ++column) {
      most = std::max(most, m_paper.broken(cells[column], widths[column] - kBetweenColumns, style).size());
    }
    return static_cast<double>(most) * style.lineHeight();
  }

  /// Cells side by side, on one page.
  template <class Cells, class Widths>
  void showRow(const Cells& cells, const Widths& widths, TextStyle style, PlotInk firstInk) {
    std::vector<std::vector<std::string>> lines;
    std::size_t most = 1;
    for (std::size_t column = 0; column < cells.size(); ++column) {
      lines.push_back(m_paper.broken(cells[column], widths[column] - kBetweenColumns, style));
      most = std::max(most, lines.back().size());
    }
    m_paper.keepTogether(static_cast<double>(most) * style.lineHeight());
    // A row higher than a page goes on: line by line.
    for (std::size_t line = 0; line < most; ++line) {
      m_paper.keepTogether(style.lineHeight());
      double x = PdfPaper::kLeft;
      for (std::size_t column = 0; column < lines.size(); ++column) {
        TextStyle own = style;
        if (column == 0) own.ink = firstInk;
        if (line < lines[column].size()) m_paper.show(lines[column][line], x, m_paper.y(), own);
        x += widths[column];
      }
      m_paper.advance(style.lineHeight());
    }
    m_paper.advance(1);
  }

  PdfPaper& m_paper;
  double m_plotHeightRatio = 1.0;
  double m_logoBottom = 0.0;
};

/// What page breaks divide, without them.
std::vector<std::span<const ReportBlock>> partsOf(const ReportPage& page) {
  std::vector<std::span<const ReportBlock>> parts;
  const std::span<const ReportBlock> blocks = page.blocks;
  std::size_t begin = 0;
  for (std::size_t index = 0; index <= blocks.size(); ++index) {
    if (index < blocks.size() && !std::holds_alternative<ReportPageBreak>(blocks[index])) continue;
    parts.push_back(blocks.subspan(begin, index - begin));
    begin = index + 1;
  }
  return parts;
}

/// The height of plots with which a part has kSummaryPages at most; the lowest where none is low enough. Of those that
/// do, one that leaves little of the first page empty. A further connection may have one page.
double plotHeightFor(const ReportPage& page, std::span<const ReportBlock> part, bool isFirst) {
  constexpr std::array<double, 8> kRatios = {1.5, 1.35, 1.2, 1.1, 1.0, 0.85, 0.7, 0.5};
  constexpr double kMostEmpty = 130;
  constexpr double kLeastOnOnePage = 0.7;
  std::optional<double> highest;
  std::optional<double> best;
  for (const double ratio : kRatios) {
    PdfPaper paper(page.title, page.origin, 0);
    PdfWriter writer(paper);
    writer.setPlotHeight(ratio);
    if (isFirst) writer.writeHead(page);
    writer.write(part);
    if (paper.pages() > kSummaryPages) continue;
    if (!highest) highest = ratio;
    if (paper.pages() == 1 && ratio >= (isFirst ? 1.0 : kLeastOnOnePage)) return ratio;
    // Lower ones than 1 would leave the other page empty.
    if (!best && ratio >= 1.0 && paper.firstPageRest() <= kMostEmpty) best = ratio;
  }
  return best ? *best : highest.value_or(kRatios.back());
}

void writeAll(PdfPaper& paper, const ReportPage& page, const std::vector<double>& plotHeights) {
  PdfWriter writer(paper);
  writer.writeHead(page);
  const auto parts = partsOf(page);
  for (std::size_t part = 0; part < parts.size(); ++part) {
    if (part > 0) paper.startPage();
    writer.setPlotHeight(part < plotHeights.size() ? plotHeights[part] : 1.0);
    writer.write(parts[part]);
  }
}

}  // namespace

std::string toPdf(const ReportPage& page) {
  std::vector<double> plotHeights;
  const auto parts = partsOf(page);
  for (std::size_t part = 0; part < std::min(page.summaries, parts.size()); ++part) {
    plotHeights.push_back(plotHeightFor(page, parts[part], part == 0));
  }
  // Once to know how many pages there are.
  PdfPaper counted(page.title, page.origin, 0);
  writeAll(counted, page, plotHeights);
  PdfPaper paper(page.title, page.origin, counted.pages());
  writeAll(paper, page, plotHeights);
  return paper.finish();
}

}  // namespace tcpscope
