// What a plot is drawn on: an SVG of a page, a page of a PDF. Positions in points, y downwards, from the corner of the
// plot; inks are named by what they are for, so that a page may be light or dark.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/diagnosis/limits/limit.h"

namespace tcpscope {

enum class PlotInk : std::uint8_t {
  text,
  quietText,
  axis,
  grid,
  mark,
  firstTrace,
  secondTrace,
  thirdTrace,
  fourthTrace,
  /// One a limit from here on, in their order.
  firstLimit,
};
inline constexpr std::size_t kPlotTraces = 4;
inline constexpr std::size_t kPlotInks = static_cast<std::size_t>(PlotInk::firstLimit) + kLimitCount;

constexpr PlotInk traceInk(std::size_t trace) {
  return static_cast<PlotInk>(static_cast<std::size_t>(PlotInk::firstTrace) + trace % kPlotTraces);
}
/// Where nothing moves, that of timeouts.
constexpr PlotInk limitInk(Limit limit) {
  if (!hasShare(limit)) limit = Limit::timeout;
  return static_cast<PlotInk>(static_cast<std::size_t>(PlotInk::firstLimit) + static_cast<std::size_t>(limit));
}

/// 0xRRGGBB on white and on a dark page.
struct PlotColor {
  std::uint32_t light;
  std::uint32_t dark;
};

/// Okabe and Ito's colours for all kinds of sight, darkened for white paper until they stand out from it. The desktop
/// takes those of traces and limits from here.
inline constexpr std::array<PlotColor, kPlotInks> kPlotColors = {{
    {0x1b1f24, 0xe6e9ec},  // text
    {0x59636e, 0x9da7b1},  // quiet text
    {0x59636e, 0x9da7b1},  // axis
    {0xdfe3e8, 0x333a42},  // grid
    {0x59636e, 0xb6bfc8},  // mark
    {0x0072b2, 0x56b4e9},
    {0xc75500, 0xe69f00},
    {0x007f5b, 0x2bc194},
    {0xa8477e, 0xdb92bb},
    {0xc75500, 0xf08a3c},  // receiver
    {0x0072b2, 0x56a8e0},  // send buffer
    {0x008560, 0x2bc194},  // network
    {0xb3568a, 0xdb92bb},  // recovery
    {0x8f1d1d, 0xf2676a},  // timeout
    {0x9a7600, 0xf0e442},  // application
    {0xb9c0c8, 0x4a535d},  // idle
    {0x8a7f78, 0xa59b90},  // unknown
}};

struct PlotPosition {
  double x = 0.0;
  double y = 0.0;
};

struct PlotStroke {
  PlotInk ink = PlotInk::axis;
  double width = 1.0;
  /// Lengths of strokes and gaps in turn; empty for a solid line.
  std::span<const double> dash{};
};

enum class PlotAnchor : std::uint8_t { start, middle, end };

class PlotCanvas {
public:
  PlotCanvas() = default;
  PlotCanvas(const PlotCanvas&) = delete;
  PlotCanvas& operator=(const PlotCanvas&) = delete;
  virtual ~PlotCanvas() = default;

  virtual void polyline(std::span<const PlotPosition> points, const PlotStroke& stroke) = 0;
  virtual void rectangle(PlotPosition corner, double width, double height, PlotInk ink) = 0;
  /// Any text: the canvas escapes it.
  virtual void text(PlotPosition baseline, std::string_view text, PlotAnchor anchor, PlotInk ink) = 0;

  void line(PlotPosition from, PlotPosition to, const PlotStroke& stroke) {
    const std::array<PlotPosition, 2> ends = {from, to};
    polyline(ends, stroke);
  }
};

}  // namespace tcpscope
