#include "app/pdf/text_painter.h"

#include <span>
#include <vector>

namespace tcpscope {

TextPainter::TextPainter(cairo_t* context)
    : m_context(context), m_layout(pango_cairo_create_layout(context)), m_font(pango_font_description_new()) {
  PangoContext* settings = pango_layout_get_context(m_layout.get());
  // Paper has no pixels: widths must not depend on the resolution of a screen.
  pango_context_set_round_glyph_positions(settings, FALSE);
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  pango_cairo_context_set_font_options(settings, options);
  cairo_font_options_destroy(options);
  pango_layout_set_auto_dir(m_layout.get(), FALSE);
  pango_layout_set_single_paragraph_mode(m_layout.get(), TRUE);
  // A ligature such as "fi" would be one character when a reader copies or searches the text.
  PangoAttrList* attributes = pango_attr_list_new();
  pango_attr_list_insert(attributes, pango_attr_font_features_new("liga=0"));
  pango_layout_set_attributes(m_layout.get(), attributes);
  pango_attr_list_unref(attributes);
}

void TextPainter::layOut(std::string_view text, const TextStyle& style) {
  pango_font_description_set_family_static(m_font.get(),
                                           style.fixedWidth ? "DejaVu Sans Mono,monospace" : "DejaVu Sans,sans-serif");
  pango_font_description_set_weight(m_font.get(), style.bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
  pango_font_description_set_absolute_size(m_font.get(), style.size * PANGO_SCALE);
  pango_layout_set_font_description(m_layout.get(), m_font.get());
  pango_layout_set_text(m_layout.get(), text.data(), static_cast<int>(text.size()));
}

double TextPainter::widthOf(std::string_view text, const TextStyle& style) {
  if (text.empty()) return 0.0;
  layOut(text, style);
  int width = 0;
  pango_layout_get_size(m_layout.get(), &width, nullptr);
  return static_cast<double>(width) / PANGO_SCALE;
}

void TextPainter::draw(std::string_view text, double x, double y, const TextStyle& style) {
  if (text.empty()) return;
  // A plot scales the context after the layout was made for it.
  pango_cairo_update_layout(m_context, m_layout.get());
  layOut(text, style);
  selectInk(m_context, style.ink);
  cairo_move_to(m_context, x, y);
  pango_cairo_show_layout_line(m_context, pango_layout_get_line_readonly(m_layout.get(), 0));
}

std::size_t TextPainter::fittingBytes(std::string_view text, double width, const TextStyle& style) {
  layOut(text, style);
  int count = 0;
  const PangoLogAttr* attributes = pango_layout_get_log_attrs_readonly(m_layout.get(), &count);
  // Where a beginning may end: an attribute describes the position before each code point, and one the end.
  std::vector<std::size_t> ends;
  std::size_t codePoint = 0;
  for (std::size_t at = 1; at <= text.size(); ++at) {
    const bool isInside = at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
    if (isInside) continue;
    ++codePoint;
    const bool isKnown = codePoint < static_cast<std::size_t>(count);
    if (at == text.size() || (isKnown && attributes[codePoint].is_cursor_position != 0)) ends.push_back(at);
  }
  if (ends.empty()) return 0;
  std::size_t fits = 0;
  std::size_t tooLong = ends.size();
  while (tooLong - fits > 1) {
    const std::size_t middle = fits + (tooLong - fits) / 2;
    (widthOf(text.substr(0, ends[middle]), style) <= width ? fits : tooLong) = middle;
  }
  return ends[fits];
}

int TextPainter::missingGlyphs(std::string_view text, const TextStyle& style) {
  layOut(text, style);
  return pango_layout_get_unknown_glyphs_count(m_layout.get());
}

void selectInk(cairo_t* context, PlotInk ink) {
  const std::uint32_t color = kPlotColors.at(static_cast<std::size_t>(ink)).light;
  const auto part = [color](unsigned shift) { return ((color >> shift) & 0xffU) / 255.0; };
  cairo_set_source_rgb(context, part(16), part(8), part(0));
}

}  // namespace tcpscope
