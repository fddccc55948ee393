#include "app/pdf/pdf_paper.h"

#include <cairo-pdf.h>
#include <fmt/format.h>

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
  if (m_y + height <= kPaperBottom || isAtTop()) return;
  endPage();
  beginPage();
}

std::vector<std::string> PdfPaper::broken(std::string_view text, double width, const TextStyle& style) const {
  const auto fits = [&](const std::string& line) { return m_text->widthOf(line, style) <= width; };
  const std::string shown = forPlainText(text.substr(0, kLongestText));
  std::vector<std::string> lines(1);
  bool isFirst = true;
  std::size_t begin = 0;
  while (begin < shown.size()) {
    const std::size_t blank = shown.find(' ', begin);
    std::string word = shown.substr(begin, blank - begin);
    begin = blank == std::string::npos ? shown.size() : blank + 1;
    // Blanks at the beginning of the text are kept as indentation.
    const std::string joined = isFirst ? word : lines.back() + " " + word;
    if (fits(joined)) {
      lines.back() = joined;
      isFirst = false;
      continue;
    }
    if (!isFirst) lines.emplace_back();
    while (!word.empty() && !fits(word)) {
      const std::size_t length = m_text->fittingBytes(word, width, style);
      lines.back() = word.substr(0, length);
      word.erase(0, length);
      lines.emplace_back();
    }
    lines.back() = std::move(word);
    isFirst = lines.back().empty();
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

std::string PdfPaper::finish() {
  endPage();
  cairo_surface_finish(cairo_get_target(context()));
  return std::move(m_bytes);
}

}  // namespace tcpscope
