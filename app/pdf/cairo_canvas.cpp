#include "app/pdf/cairo_canvas.h"

#include "core/base/escape.h"
#include "core/present/svg/time_plot.h"

namespace tcpscope {

void CairoCanvas::polyline(std::span<const PlotPosition> points, const PlotStroke& stroke) {
  selectInk(m_context, stroke.ink);
  cairo_set_line_width(m_context, stroke.width);
  cairo_set_dash(m_context, stroke.dash.data(), static_cast<int>(stroke.dash.size()), 0.0);
  // Drawing text leaves a current point, from which the line would continue.
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
  const TextStyle style{kPlotLetters, false, false, ink};
  const std::string shown = forPlainText(text);
  const double before = anchor == PlotAnchor::start ? 0.0 : anchor == PlotAnchor::middle ? 0.5 : 1.0;
  const double shift = before > 0.0 ? m_text.widthOf(shown, style) * before : 0.0;
  m_text.draw(shown, baseline.x - shift, baseline.y, style);
}

}  // namespace tcpscope
