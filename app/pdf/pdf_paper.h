// The pages of a PDF in memory: where the next line goes, when a page is full, how text breaks into lines.
//
// Units are points, y downwards. Each page has the document's origin and its number at its foot.
#pragma once

#include <cairo.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/present/svg/plot_canvas.h"

namespace tcpscope {

struct LetterStyle {
  double size = 9.5;
  bool bold = false;
  bool fixedWidth = false;
  PlotInk ink = PlotInk::text;

  [[nodiscard]] double lineHeight() const { return size * 1.42; }
};

class PdfPaper {
public:
  /// A4 with margins.
  static constexpr double kLeft = 50;
  static constexpr double kWidth = 595 - 2 * kLeft;

  /// `pages`: how many there will be, where that is known.
  PdfPaper(std::string_view title, std::string origin, std::size_t pages);

  [[nodiscard]] cairo_t* context() const { return m_context.get(); }
  [[nodiscard]] double y() const { return m_y; }
  void advance(double height) { m_y += height; }
  /// A new page where there is no room for so much; what is higher than a page begins on a new one.
  void keepTogether(double height);
  [[nodiscard]] bool isAtTop() const;

  /// Any text, made harmless, in lines that fit: at blanks, or within what has none.
  [[nodiscard]] std::vector<std::string> broken(std::string_view text, double width, const LetterStyle& style) const;
  /// Of any text in one line, made harmless.
  [[nodiscard]] double widthOf(std::string_view text, const LetterStyle& style) const;
  /// One line, its upper edge at `y`; does not advance.
  void show(const std::string& line, double x, double y, const LetterStyle& style);
  /// Broken lines from here on, over pages; advances.
  void flow(std::string_view text, double x, double width, const LetterStyle& style);
  void rule(double x, double y, double width);
  void panel(double x, double y, double width, double height);

  /// The bytes of the file; nothing is drawn afterwards.
  std::string finish();
  [[nodiscard]] std::size_t pages() const { return m_page; }

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
  double m_y = 0.0;
  std::unique_ptr<cairo_t, DestroyContext> m_context;
};

}  // namespace tcpscope
