// Measures and draws single lines of text on a cairo context with Pango.
//
// Pango takes each character from a font that has it: CJK, emoji or Greek in the name of a process or of a host is
// readable if any installed font has it. The base direction is always left to right, so that a right-to-left name does
// not reorder the sentence around it. Text must be valid UTF-8 without control characters (forPlainText). One instance
// serves one cairo context in one thread.
#pragma once

#include <pango/pangocairo.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "core/present/svg/plot_canvas.h"

namespace tcpscope {

struct TextStyle {
  /// In units of the cairo context, as all lengths here.
  double size = 9.5;
  bool bold = false;
  bool fixedWidth = false;
  PlotInk ink = PlotInk::text;

  [[nodiscard]] double lineHeight() const { return size * 1.42; }
};

class TextPainter {
public:
  /// `context` must outlive the painter.
  explicit TextPainter(cairo_t* context);

  [[nodiscard]] double widthOf(std::string_view text, const TextStyle& style);
  /// The baseline starts at (`x`, `y`).
  void draw(std::string_view text, double x, double y, const TextStyle& style);
  /// The length in bytes of the longest beginning of `text` that fits into `width`. Never splits what a reader sees as
  /// one character; at least one such character, unless `text` is empty.
  [[nodiscard]] std::size_t fittingBytes(std::string_view text, double width, const TextStyle& style);
  /// Characters that no installed font has; they are drawn as boxes with their code point.
  [[nodiscard]] int missingGlyphs(std::string_view text, const TextStyle& style);

private:
  void layOut(std::string_view text, const TextStyle& style);

  struct Unref {
    void operator()(PangoLayout* layout) const { g_object_unref(layout); }
  };
  struct FreeFont {
    void operator()(PangoFontDescription* font) const { pango_font_description_free(font); }
  };
  cairo_t* m_context;
  std::unique_ptr<PangoLayout, Unref> m_layout;
  std::unique_ptr<PangoFontDescription, FreeFont> m_font;
};

void selectInk(cairo_t* context, PlotInk ink);

}  // namespace tcpscope
