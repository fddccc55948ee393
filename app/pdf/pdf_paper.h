// Writes the pages of a PDF into memory: knows where the next line goes, when a page is full and how text breaks into
// lines.
//
// Units are points, y downwards. The footer of each page has the document's origin and the page number.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/pdf/text_painter.h"

namespace tcpscope {

class PdfPaper {
public:
  /// A4 with margins.
  static constexpr double kLeft = 50;
  static constexpr double kWidth = 595 - 2 * kLeft;

  /// `pages` is the number of pages for the footer; 0 if it is not known yet.
  PdfPaper(std::string_view title, std::string origin, std::size_t pages);

  [[nodiscard]] cairo_t* context() const { return m_context.get(); }
  [[nodiscard]] TextPainter& text() const { return *m_text; }
  [[nodiscard]] double y() const { return m_y; }
  void advance(double height) { m_y += height; }
  /// Starts a new page if less than `height` is left on this one. Content higher than a page starts on a new page.
  void keepTogether(double height);
  [[nodiscard]] bool isAtTop() const;
  /// Nothing on a page on which nothing is.
  void startPage();

  /// Escapes `text` and breaks it into lines that fit into `width`: at blanks, or inside a word that is too long.
  [[nodiscard]] std::vector<std::string> broken(std::string_view text, double width, const TextStyle& style) const;
  /// The width of `text`, escaped, on one line.
  [[nodiscard]] double widthOf(std::string_view text, const TextStyle& style) const;
  /// Draws one line with its upper edge at `y`; does not advance.
  void show(const std::string& line, double x, double y, const TextStyle& style);
  /// Draws `text` in broken lines from the current position, over as many pages as it needs; advances.
  void flow(std::string_view text, double x, double width, const TextStyle& style);
  void rule(double x, double y, double width);
  void panel(double x, double y, double width, double height);
  /// A PNG with its upper left corner there, `scale` points a pixel; nothing where it is none.
  void image(std::string_view png, double x, double y, double scale);

  /// Returns the bytes of the file; nothing may be drawn afterwards.
  std::string finish();
  [[nodiscard]] std::size_t pages() const { return m_page; }
  /// Of the first page, which is full; 0 while it is the only one.
  [[nodiscard]] double firstPageRest() const { return m_firstPageRest; }

private:
  void beginPage();
  void endPage();

  struct DestroyContext {
    void operator()(cairo_t* context) const { cairo_destroy(context); }
  };
  std::string m_bytes;
  std::string m_origin;
  std::size_t m_pagesInAll;
  std::size_t m_page = 0;
  double m_firstPageRest = 0.0;
  double m_y = 0.0;
  std::unique_ptr<cairo_t, DestroyContext> m_context;
  std::unique_ptr<TextPainter> m_text;
};

}  // namespace tcpscope
