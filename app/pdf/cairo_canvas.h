// Draws a plot of a report on a page of a PDF, in the colours for white paper.
//
// Positions and sizes are in the units that the cairo context has when a shape is drawn.
#pragma once

#include "app/pdf/text_painter.h"
#include "core/present/svg/plot_canvas.h"

namespace tcpscope {

class CairoCanvas final : public PlotCanvas {
public:
  /// `text` must be made for `context`.
  CairoCanvas(cairo_t* context, TextPainter& text) : m_context(context), m_text(text) {}

  void polyline(std::span<const PlotPosition> points, const PlotStroke& stroke) override;
  void rectangle(PlotPosition corner, double width, double height, PlotInk ink) override;
  void text(PlotPosition baseline, std::string_view text, PlotAnchor anchor, PlotInk ink) override;

private:
  cairo_t* m_context;
  TextPainter& m_text;
};

}  // namespace tcpscope
