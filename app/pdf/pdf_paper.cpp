#include "app/pdf/pdf_paper.h"

#include <cairo-pdf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/base/escape.h"

namespace tcpscope {

namespace {

constexpr double kPaperWidth = 595;
constexpr double kPaperHeight = 842;
constexpr double kPaperTop = 50;
constexpr double kPaperBottom = kPaperHeight - 60;
/// Longer text would fill whole pages with one name.
constexpr std::size_t kLongestText = 4'000;

cairo_status_t appendBytesTo(void* closure, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

cairo_status_t takeBytesFrom(void* closure, unsigned char* data, unsigned int length) {
  auto& rest = *static_cast<std::string_view*>(closure);
  if (rest.size() < length) return CAIRO_STATUS_READ_ERROR;
  std::memcpy(data, rest.data(), length);
  rest.remove_prefix(length);
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace

PdfPaper::PdfPaper(std::string_view title, std::string origin, std::size_t pages)
    : m_origin(std::move(origin)), m_pagesInAll(pages) {
  cairo_surface_t* surface = cairo_pdf_surface_create_for_stream(appendBytesTo, &m_bytes, kPaperWidth, kPaperHeight);
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, forPlainText(title).c_str());
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "tcpscope");
  m_context.reset(cairo_create(surface));
  cairo_surface_destroy(surface);
  m_text = std::make_unique<TextPainter>(context());
  beginPage();
}

void PdfPaper::beginPage() {
  ++m_page;
  m_y = kPaperTop;
}

void PdfPaper::endPage() {
  if (m_page == 1) m_firstPageRest = kPaperBottom - m_y;
  const TextStyle style{8.0, false, false, PlotInk::quietText};
  const double y = kPaperHeight - 40;
  rule(kLeft, y - 6, kWidth);
  show(forPlainText(m_origin), kLeft, y, style);
  const std::string number =
      m_pagesInAll > 0 ? fmt::format("page {} of {}", m_page, m_pagesInAll) : fmt::format("page {}", m_page);
  show(number, kLeft + kWidth - text().widthOf(number, style), y, style);
  cairo_show_page(context());
}

bool PdfPaper::isAtTop() const {
  return m_y <= kPaperTop;
}

void PdfPaper::keepTogether(double height) {
  if (m_y + height > kPaperBottom) startPage();
}

void PdfPaper::startPage() {
  if (isAtTop()) return;
  endPage();
  beginPage();
}

std::vector<std::string> PdfPaper::broken(std::string_view text, double width, const TextStyle& style) const {
  const std::string shown = forPlainText(text.substr(0, kLongestText));
  const double blankWidth = m_text->widthOf(" ", style);
  std::vector<std::string> lines(1);
  double used = 0.0;
  bool isFirst = true;
  std::size_t begin = 0;
  while (begin < shown.size()) {
    const std::size_t blank = shown.find(' ', begin);
    std::string_view word = std::string_view(shown).substr(begin, blank - begin);
    begin = blank == std::string::npos ? shown.size() : blank + 1;
    // Blanks at the beginning of the text are kept as indentation.
    const double before = isFirst ? 0.0 : used + blankWidth;
    if (before <= width && m_text->fittingBytes(word, width - before, style) == word.size()) {
      if (!isFirst) lines.back() += ' ';
      lines.back() += word;
      used = before + m_text->widthOf(word, style);
      isFirst = false;
      continue;
    }
    if (!isFirst) lines.emplace_back();
    // A word longer than a line takes several lines.
    for (std::size_t length = 0; (length = m_text->fittingBytes(word, width, style)) < word.size();) {
      length = std::max(length, TextPainter::firstCharacterBytes(word));
      lines.back() = word.substr(0, length);
      lines.emplace_back();
      word.remove_prefix(length);
    }
    lines.back() = word;
    used = m_text->widthOf(word, style);
    isFirst = word.empty();
  }
  if (lines.size() > 1 && lines.back().empty()) lines.pop_back();
  return lines;
}

double PdfPaper::widthOf(std::string_view text, const TextStyle& style) const {
  return m_text->widthOf(forPlainText(text), style);
}

void PdfPaper::show(const std::string& line, double x, double y, const TextStyle& style) {
  m_text->draw(line, x, y + style.size, style);
}

void PdfPaper::flow(std::string_view text, double x, double width, const TextStyle& style) {
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

void PdfPaper::image(std::string_view png, double x, double y, double scale) {
  cairo_surface_t* surface = cairo_image_surface_create_from_png_stream(takeBytesFrom, &png);
  if (cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS) {
    cairo_save(context());
    cairo_translate(context(), x, y);
    cairo_scale(context(), scale, scale);
    cairo_set_source_surface(context(), surface, 0.0, 0.0);
    cairo_paint(context());
    cairo_restore(context());
  }
  cairo_surface_destroy(surface);
}

std::string PdfPaper::finish() {
  endPage();
  cairo_surface_finish(cairo_get_target(context()));
  return std::move(m_bytes);
}

}  // namespace tcpscope
