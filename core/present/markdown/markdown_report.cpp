#include "core/present/markdown/markdown_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/base/escape.h"

namespace tcpscope {

namespace {

/// Longer than any row of them in the text, so that none ends it.
std::string fenceAround(const std::vector<std::string>& lines) {
  std::size_t longest = 0;
  for (const std::string& line : lines) {
    std::size_t run = 0;
    for (const char character : line) {
      run = character == '`' ? run + 1 : 0;
      longest = std::max(longest, run);
    }
  }
  return std::string(std::max<std::size_t>(longest + 1, 3), '`');
}

class MarkdownWriter {
public:
  void operator()(const ReportHeading& heading) {
    add("{} {}\n\n", std::string(static_cast<std::size_t>(heading.level), '#'), forMarkdown(heading.text));
  }
  void operator()(const ReportParagraph& paragraph) { add("{}\n\n", forMarkdown(paragraph.text)); }
  void operator()(const ReportVerdict& verdict) {
    add("> **{}**\n", forMarkdown(verdict.text));
    if (!verdict.note.empty()) add(">\n> {}\n", forMarkdown(verdict.note));
    m_out += '\n';
  }
  void operator()(const ReportFacts& facts) {
    for (const auto& [name, text] : facts.rows) add("* {}: {}\n", forMarkdown(name), forMarkdown(text));
    if (!facts.rows.empty()) m_out += '\n';
  }
  void operator()(const ReportItems& items) {
    for (const std::string& item : items.items) add("* {}\n", forMarkdown(item));
    m_out += '\n';
  }
  void operator()(const ReportLines& lines) {
    const std::string fence = fenceAround(lines.lines);
    add("{}:\n\n{}\n", forMarkdown(lines.title), fence);
    for (const std::string& line : lines.lines) add("{}\n", forPlainText(line));
    add("{}\n\n", fence);
  }
  void operator()(const ReportPageBreak& /*unused*/) { m_out += "---\n\n"; }
  void operator()(const ReportTable& table) {
    if (!table.caption.empty()) add("{}\n\n", forMarkdown(table.caption));
    for (const std::string& column : table.columns) add("| {} ", column.empty() ? "No." : forMarkdown(column));
    m_out += "|\n";
    for (std::size_t column = 0; column < table.columns.size(); ++column) m_out += "|---";
    m_out += "|\n";
    for (const auto& row : table.rows) {
      for (const std::string& cell : row) add("| {} ", forMarkdown(cell));
      m_out += "|\n";
    }
    m_out += '\n';
  }
  void operator()(const ReportFigure& figure) {
    add("{}\n\n", forMarkdown(figure.plot.sentence));
    (*this)(tableOf(figure.plot));
  }

  std::string take() { return std::move(m_out); }

private:
  template <class... Values>
  void add(fmt::format_string<Values...> form, Values&&... values) {
    fmt::format_to(std::back_inserter(m_out), form, std::forward<Values>(values)...);
  }

  std::string m_out;
};

}  // namespace

std::string toMarkdown(const ReportPage& page) {
  MarkdownWriter writer;
  writer(page.cover);
  for (const ReportBlock& block : page.blocks) std::visit(writer, block);
  return fmt::format("# {}\n\n{}Made by {}.\n", forMarkdown(page.title), writer.take(), forMarkdown(page.origin));
}

}  // namespace tcpscope
