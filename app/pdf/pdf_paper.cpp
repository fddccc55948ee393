#include "app/pdf/pdf_paper.h"

#include <cairo-pdf.h>
#include <fmt/format.h>

#include "app/pdf/cairo_canvas.h"
#include "core/base/escape.h"
#include "core/base/utf8.h"

namespace tcpscope {

namespace {

constexpr double kPaperWidth = 595;
constexpr double kPaperHeight = 842;
constexpr double kPaperTop = 50;
constexpr double kPaperBottom = kPaperHeight - 60;
/// A name of many pages is not for reading.
constexpr std::size_t kLongestText = 4'000;

cairo_status_t keepBytes(void* closure, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

double advanceOf(cairo_t* context, const std::string& text) {
  cairo_text_extents_t extents = {};
  cairo_text_extents(context, text.c_str(), &extents);
  return extents.x_advance;
}

/// The longest beginning of `word` that fits; at least one character of it, which leaves it.
std::string takeFitting(cairo_t* context, std::string& word, double width) {
  std::string fitting;
  std::string_view rest = word;
  while (!rest.empty()) {
    std::string longer = fitting;
    std::string_view after = rest;
    appendUtf8(longer, takeCharacter(after));
    if (!fitting.empty() && advanceOf(context, longer) > width) break;
    fitting = std::move(longer);
    rest = after;
  }
  word = std::string(rest);
  return fitting;
}

}  // namespace

PdfPaper::PdfPaper(std::string_view title, std::string origin, std::size_t pages)
    : m_origin(std::move(origin)), m_pagesInAll(pages) {
  cairo_surface_t* surface = cairo_pdf_surface_create_for_stream(keepBytes, &m_bytes, kPaperWidth, kPaperHeight);
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, forPlainText(title).c_str());
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "tcpscope");
  m_context.reset(cairo_create(surface));
  cairo_surface_destroy(surface);
  beginPage();
}

void PdfPaper::beginPage() {
  ++m_page;
  m_y = kPaperTop;
}

void PdfPaper::endPage() {
  const LetterStyle style{8.0, false, false, PlotInk::quietText};
  const double y = kPaperHeight - 40;
  rule(kLeft, y - 6, kWidth);
  show(forPlainText(m_origin), kLeft, y, style);
  const std::string number =
      m_pagesInAll > 0 ? fmt::format("page {} of {}", m_page, m_pagesInAll) : fmt::format("page {}", m_page);
  selectLetters(context(), style.size);
  show(number, kLeft + kWidth - advanceOf(context(), number), y, style);
  cairo_show_page(context());
}

bool PdfPaper::isAtTop() const {
  return m_y <= kPaperTop;
}

void PdfPaper::keepTogether(double height) {
  if (m_y + height <= kPaperBottom || isAtTop()) return;
  endPage();
  beginPage();
}

std::vector<std::string> PdfPaper::broken(std::string_view text, double width, const LetterStyle& style) const {
  selectLetters(context(), style.size, style.bold, style.fixedWidth);
  const std::string shown = forPlainText(text.substr(0, kLongestText));
  std::vector<std::string> lines(1);
  bool isFirst = true;
  std::size_t begin = 0;
  while (begin < shown.size()) {
    const std::size_t blank = shown.find(' ', begin);
    std::string word = shown.substr(begin, blank - begin);
    begin = blank == std::string::npos ? shown.size() : blank + 1;
    // Blanks at the beginning of a line are an indentation, as in a letter.
    const std::string joined = isFirst ? word : lines.back() + " " + word;
    if (advanceOf(context(), joined) <= width) {
      lines.back() = joined;
      isFirst = false;
      continue;
    }
    if (!isFirst) lines.emplace_back();
    while (!word.empty() && advanceOf(context(), word) > width) {
      lines.back() = takeFitting(context(), word, width);
      lines.emplace_back();
    }
    lines.back() = std::move(word);
    isFirst = lines.back().empty();
  }
  if (lines.size() > 1 && lines.back().empty()) lines.pop_back();
  return lines;
}

double PdfPaper::widthOf(std::string_view text, const LetterStyle& style) const {
  selectLetters(context(), style.size, style.bold, style.fixedWidth);
  return advanceOf(context(), forPlainText(text));
}

void PdfPaper::show(const std::string& line, double x, double y, const LetterStyle& style) {
  selectLetters(context(), style.size, style.bold, style.fixedWidth);
  selectInk(context(), style.ink);
  cairo_move_to(context(), x, y + style.size);
  cairo_show_text(context(), line.c_str());
}

void PdfPaper::flow(std::string_view text, double x, double width, const LetterStyle& style) {
  for (const std::string& line : broken(text, width, style)) {
    keepTogether(style.lineHeight());
    show(line, x, m_y, style);
    m_y += style.lineHeight();
  }
}

void PdfPaper::rule(double x, double y, double width) {
  selectInk(context(), PlotInk::grid);
  cairo_rectangle(context(), x, y, width, 0.8);
  cairo_fill(context());
}

void PdfPaper::panel(double x, double y, double width, double height) {
  cairo_set_source_rgb(context(), 0.953, 0.961, 0.969);
  cairo_rectangle(context(), x, y, width, height);
  cairo_fill(context());
}

std::string PdfPaper::finish() {
  endPage();
  cairo_surface_finish(cairo_get_target(context()));
  return std::move(m_bytes);
}

}  // namespace tcpscope
