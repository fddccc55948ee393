#include "core/present/html/html_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/base/escape.h"
#include "core/present/report/peer_mail.h"
#include "core/present/svg/svg_canvas.h"

namespace tcpscope {

namespace {

/// A figure with its unit.
constexpr std::size_t kShortCell = 20;

constexpr std::string_view kStyle = R"(
*{box-sizing:border-box}
html{font:16px/1.5 system-ui,"Segoe UI","DejaVu Sans",sans-serif;background:var(--page);color:var(--ink-0)}
body{margin:0 auto;max-width:60rem;padding:1.5rem 1rem 4rem;overflow-wrap:break-word}
h1{font-size:1.6rem;line-height:1.25;margin:0 0 .3rem}
h2{font-size:1.35rem;margin:2.8rem 0 .6rem;padding-top:.8rem;border-top:2px solid var(--line)}
h3{font-size:1.1rem;margin:1.8rem 0 .4rem}
h4{font-size:1rem;margin:1.2rem 0 .2rem}
p,ul,dl,table,pre,figure{margin:.4rem 0 .8rem}
header p{color:var(--ink-1);margin:0 0 1.2rem}
.verdict{border-left:.4rem solid var(--ink-5);background:var(--panel);padding:.9rem 1.1rem;margin:1rem 0}
.verdict p{margin:0}
.verdict .says{font-size:1.2rem;font-weight:600;line-height:1.4}
.verdict .sure{color:var(--ink-1);margin-top:.3rem}
dl{display:grid;grid-template-columns:minmax(8rem,15rem) 1fr;gap:.25rem 1rem}
dt{color:var(--ink-1)}
dd{margin:0;min-width:0}
pre{background:var(--panel);border:1px solid var(--line);padding:.6rem .8rem;white-space:pre-wrap;
  font:.9rem/1.45 ui-monospace,"DejaVu Sans Mono",monospace}
.copy{margin-bottom:0;color:var(--ink-1)}
.wide{overflow-x:auto}
.wide:focus-visible,summary:focus-visible{outline:2px solid var(--ink-5);outline-offset:2px}
table{border-collapse:collapse;width:100%;font-size:.92rem}
caption{text-align:left;color:var(--ink-1);padding:.2rem 0}
th,td{text-align:left;vertical-align:top;padding:.3rem .8rem .3rem 0;border-bottom:1px solid var(--line)}
th{font-weight:600}
td{font-variant-numeric:tabular-nums}
.short{white-space:nowrap}
figure svg{display:block;width:100%;min-width:38rem;height:auto;font:12px system-ui,"DejaVu Sans",sans-serif}
svg rect{shape-rendering:crispEdges}
figcaption{color:var(--ink-0)}
.logo{float:right;max-width:12rem;max-height:4rem;width:auto;height:auto;margin:0 0 .5rem 1rem}
.cover dl{margin-top:0}
.part{border:0;border-top:.25rem double var(--line);margin:3rem 0 0;clear:both}
a{color:var(--ink-5)}
summary{cursor:pointer;color:var(--ink-1)}
footer{margin-top:3rem;color:var(--ink-1);border-top:1px solid var(--line);padding-top:.6rem}
@media (max-width:36rem){dl{grid-template-columns:1fr}dd{margin-bottom:.4rem}
  table.many,table.many tbody,table.many tr,table.many td{display:block;border:0;padding:0}
  table.many thead{display:none}
  table.many tr{border-bottom:1px solid var(--line);padding:.4rem 0}
  table.many td:empty{display:none}
  table.many td:first-child{font-weight:600}}
@media print{html{font-size:10.5pt}body{max-width:none;padding:0}
  figure,pre,.verdict,tr,dt,dd{break-inside:avoid}h2,h3,h4{break-after:avoid}
  .wide{overflow:visible}figure svg{min-width:0}details,.mail{display:none}thead{display:table-header-group}
  .part{break-after:page;border:0;margin:0;height:0}.part+h2{margin-top:0}h3{margin-top:.8rem}h4{margin-top:.6rem}
  p,ul,dl,table,pre,figure{margin:.25rem 0 .45rem}.verdict{margin:.6rem 0;padding:.6rem .9rem;
  print-color-adjust:exact;-webkit-print-color-adjust:exact}td,th{padding-top:.15rem;padding-bottom:.15rem}
  svg{print-color-adjust:exact;-webkit-print-color-adjust:exact}figcaption{font-size:.92em}}
@page{size:A4;margin:14mm}
)";

/// The properties of one style: inks of the plots, and what only a page has.
std::string rootRule(PageStyle style) {
  return fmt::format(":root{{color-scheme:{};{}{}}}", style == PageStyle::light ? "light" : "dark",
                     plotInkProperties(style),
                     style == PageStyle::light ? "--page:#fff;--panel:#f3f5f7;--line:#d5dae0;"
                                               : "--page:#15181c;--panel:#1e2227;--line:#3a424b;");
}

/// RFC 4648 §4.
std::string base64Of(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(bytes.size() - at, 3);
    std::uint32_t group = 0;
    for (std::size_t byte = 0; byte < 3; ++byte) {
      group = (group << 8U) | (byte < count ? static_cast<unsigned char>(bytes[at + byte]) : 0U);
    }
    for (std::size_t digit = 0; digit < 4; ++digit) {
      text += digit <= count ? kDigits[(group >> (18U - 6U * digit)) & 63U] : '=';
    }
  }
  return text;
}

class HtmlWriter {
public:
  void operator()(const ReportHeading& heading) { add("<h{0}>{1}</h{0}>\n", heading.level, forHtml(heading.text)); }
  void operator()(const ReportParagraph& paragraph) { add("<p>{}</p>\n", forHtml(paragraph.text)); }
  void operator()(const ReportVerdict& verdict) {
    add("<section class=\"verdict\" aria-label=\"Verdict\"><p class=\"says\">{}</p>", forHtml(verdict.text));
    if (!verdict.note.empty()) add("<p class=\"sure\">{}</p>", forHtml(verdict.note));
    m_out += "</section>\n";
  }
  void operator()(const ReportFacts& facts) {
    if (facts.rows.empty()) return;
    m_out += "<dl>\n";
    for (const auto& [name, text] : facts.rows) add("<dt>{}</dt><dd>{}</dd>\n", forHtml(name), forHtml(text));
    m_out += "</dl>\n";
  }
  void operator()(const ReportItems& items) {
    m_out += "<ul>\n";
    for (const std::string& item : items.items) add("<li>{}</li>\n", forHtml(item));
    m_out += "</ul>\n";
  }
  void operator()(const ReportPageBreak& /*unused*/) { m_out += "<hr class=\"part\">\n"; }
  void operator()(const ReportLines& lines) {
    add("<p class=\"copy\">{}:</p>\n<pre>", forHtml(lines.title));
    for (std::size_t index = 0; index < lines.lines.size(); ++index) {
      add("{}{}", index == 0 ? "" : "\n", forHtml(lines.lines[index]));
    }
    m_out += "</pre>\n";
    if (lines.mailSubject.empty()) return;
    add("<p class=\"mail\"><a href=\"{}\">Write this as an e-mail</a></p>\n",
        forHtml(mailtoAddress(lines.mailSubject, lines.lines)));
  }
  void operator()(const ReportTable& table) { addTable(table, "many"); }
  void operator()(const ReportFigure& figure) {
    m_out += "<figure>\n<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"Plot\">\n";
    m_out += toInlineSvg(figure.plot);
    add("</div>\n<figcaption>{}</figcaption>\n<details>\n<summary>The same as a table</summary>\n",
        forHtml(figure.plot.sentence));
    m_out += "<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"Table\">\n";
    addTable(tableOf(figure.plot), "few");
    m_out += "</div>\n</details>\n</figure>\n";
  }

  std::string take() { return std::move(m_out); }

private:
  template <class... Values>
  void add(fmt::format_string<Values...> form, Values&&... values) {
    fmt::format_to(std::back_inserter(m_out), form, std::forward<Values>(values)...);
  }

  /// A column of figures: no line ends between a number and its unit.
  static bool isShort(const ReportTable& table, std::size_t column) {
    return std::all_of(table.rows.begin(), table.rows.end(),
                       [column](const auto& row) { return column >= row.size() || row[column].size() <= kShortCell; });
  }

  void addTable(const ReportTable& table, std::string_view kind) {
    add("<table class=\"{}\">", kind);
    if (!table.caption.empty()) add("<caption>{}</caption>", forHtml(table.caption));
    m_out += "\n<thead><tr>";
    for (const std::string& column : table.columns) {
      add("<th scope=\"col\">{}</th>", column.empty() ? std::string("No.") : forHtml(column));
    }
    m_out += "</tr></thead>\n<tbody>\n";
    for (const auto& row : table.rows) {
      m_out += "<tr>";
      for (std::size_t column = 0; column < row.size(); ++column) {
        add("<td{}>{}</td>", isShort(table, column) ? " class=\"short\"" : "", forHtml(row[column]));
      }
      m_out += "</tr>\n";
    }
    m_out += "</tbody></table>\n";
  }

  std::string m_out;
};

std::string logoOf(const ReportPage& page) {
  if (!page.logo) return {};
  return fmt::format("<img class=\"logo\" alt=\"Logo\" width=\"{}\" height=\"{}\" src=\"data:image/png;base64,{}\">\n",
                     page.logo->width, page.logo->height, base64Of(page.logo->png));
}

std::string coverOf(const ReportPage& page) {
  if (page.cover.rows.empty()) return {};
  HtmlWriter writer;
  writer(page.cover);
  return "<div class=\"cover\">\n" + writer.take() + "</div>\n";
}

}  // namespace

std::string toHtml(const ReportPage& page) {
  HtmlWriter writer;
  for (const ReportBlock& block : page.blocks) std::visit(writer, block);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'{6}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta name=\"generator\" content=\"tcpscope\">\n<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<title>{0}</title>\n<style>\n{1}\n@media screen and (prefers-color-scheme:dark){{{2}}}{3}</style>\n</head>\n"
      "<body>\n<header>\n{7}<h1>{0}</h1>\n<p>{4}</p>\n{8}</header>\n<main>\n{5}</main>\n<footer>Made by {4}.</footer>\n"
      "</body>\n</html>\n",
      forHtml(page.title), rootRule(PageStyle::light), rootRule(PageStyle::dark), kStyle, forHtml(page.origin),
      writer.take(), page.logo ? "; img-src data:" : "", logoOf(page), coverOf(page));
}

}  // namespace tcpscope
