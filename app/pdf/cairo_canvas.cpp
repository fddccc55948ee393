#include "app/pdf/cairo_canvas.h"

#include "core/base/escape.h"
#include "core/present/svg/time_plot.h"

namespace tcpscope {

void selectLetters(cairo_t* context, double size, bool bold, bool fixedWidth) {
  cairo_select_font_face(context, fixedWidth ? "DejaVu Sans Mono" : "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                         bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(context, size);
}

void selectInk(cairo_t* context, PlotInk ink) {
  const std::uint32_t color = kPlotColors.at(static_cast<std::size_t>(ink)).light;
  const auto part = [color](unsigned shift) { return ((color >> shift) & 0xffU) / 255.0; };
  cairo_set_source_rgb(context, part(16), part(8), part(0));
}

void CairoCanvas::polyline(std::span<const PlotPosition> points, const PlotStroke& stroke) {
  selectInk(m_context, stroke.ink);
  cairo_set_line_width(m_context, stroke.width);
  cairo_set_dash(m_context, stroke.dash.data(), static_cast<int>(stroke.dash.size()), 0.0);
  // Text leaves a point behind, from which a line would go on.
  cairo_new_path(m_context);
  for (const PlotPosition& point : points) cairo_line_to(m_context, point.x, point.y);
  cairo_stroke(m_context);
}

void CairoCanvas::rectangle(PlotPosition corner, double width, double height, PlotInk ink) {
  selectInk(m_context, ink);
  cairo_rectangle(m_context, corner.x, corner.y, width, height);
  cairo_fill(m_context);
}

void CairoCanvas::text(PlotPosition baseline, std::string_view text, PlotAnchor anchor, PlotInk ink) {
  selectLetters(m_context, kPlotLetters);
  selectInk(m_context, ink);
  const std::string shown = forPlainText(text);
  cairo_text_extents_t extents = {};
  cairo_text_extents(m_context, shown.c_str(), &extents);
  const double before = anchor == PlotAnchor::start ? 0.0 : anchor == PlotAnchor::middle ? 0.5 : 1.0;
  cairo_move_to(m_context, baseline.x - extents.x_advance * before, baseline.y);
  cairo_show_text(m_context, shown.c_str());
}

}  // namespace tcpscope
