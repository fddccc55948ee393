// A plot of a report on a page of a PDF: in the colours for white paper.
#pragma once

#include <cairo.h>

#include "core/present/svg/plot_canvas.h"

namespace tcpscope {

/// The letters of a PDF: set on `context` at this size.
void selectLetters(cairo_t* context, double size, bool bold = false, bool fixedWidth = false);
void selectInk(cairo_t* context, PlotInk ink);

class CairoCanvas final : public PlotCanvas {
public:
  /// Draws in the units that `context` has now.
  explicit CairoCanvas(cairo_t* context) : m_context(context) {}

  void polyline(std::span<const PlotPosition> points, const PlotStroke& stroke) override;
  void rectangle(PlotPosition corner, double width, double height, PlotInk ink) override;
  void text(PlotPosition baseline, std::string_view text, PlotAnchor anchor, PlotInk ink) override;

private:
  cairo_t* m_context;
};

}  // namespace tcpscope
