#include "app/pdf/text_painter.h"

#include <algorithm>
#include <vector>

namespace tcpscope {

namespace {

/// The positions in bytes behind each grapheme of `text` (UAX #29).
std::vector<std::size_t> characterEnds(std::string_view text) {
  if (text.empty()) return {};
  const int size = static_cast<int>(text.size());
  const auto codePoints = static_cast<std::size_t>(g_utf8_strlen(text.data(), size));
  // One attribute for the position before each code point and one for the end.
  std::vector<PangoLogAttr> attributes(codePoints + 1);
  pango_get_log_attrs(text.data(), size, -1, nullptr, attributes.data(), static_cast<int>(attributes.size()));
  std::vector<std::size_t> ends;
  std::size_t codePoint = 0;
  for (std::size_t at = 1; at <= text.size(); ++at) {
    const bool isInside = at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
    if (isInside) continue;
    ++codePoint;
    if (at == text.size() || attributes[codePoint].is_cursor_position != 0) ends.push_back(at);
  }
  return ends;
}

}  // namespace

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
  // Pango strokes the outline of a box for a missing character with the dashes of the last line.
  cairo_set_dash(m_context, nullptr, 0, 0.0);
  cairo_move_to(m_context, x, y);
  pango_cairo_show_layout_line(m_context, pango_layout_get_line_readonly(m_layout.get(), 0));
}

std::size_t TextPainter::fittingBytes(std::string_view text, double width, const TextStyle& style) {
  const std::vector<std::size_t> ends = characterEnds(text);
  // Doubles the number of characters until they do not fit, so that a long text is not laid out as a whole.
  std::size_t fits = 0;
  std::size_t tooLong = std::min<std::size_t>(32, ends.size() + 1);
  const auto fitsIn = [&](std::size_t count) { return widthOf(text.substr(0, ends[count - 1]), style) <= width; };
  while (tooLong <= ends.size() && fitsIn(tooLong)) {
    fits = tooLong;
    tooLong = std::min(tooLong * 2, ends.size() + 1);
  }
  if (fits == 0 && tooLong == ends.size() + 1 && !ends.empty() && fitsIn(ends.size())) return text.size();
  while (tooLong - fits > 1) {
    const std::size_t middle = fits + (tooLong - fits) / 2;
    (fitsIn(middle) ? fits : tooLong) = middle;
  }
  return fits == 0 ? 0 : ends[fits - 1];
}

std::size_t TextPainter::firstCharacterBytes(std::string_view text) {
  // No character that a reader sees has more code points than this, except in text that is made to be unreadable.
  constexpr std::size_t kMostBytes = 128;
  std::size_t size = std::min(text.size(), kMostBytes);
  while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) --size;
  const std::vector<std::size_t> ends = characterEnds(text.substr(0, size));
  return ends.empty() ? 0 : ends.front();
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
