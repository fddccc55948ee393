// A plot as SVG inside an HTML page. Colours are custom properties of the page (plotInkProperties()), so that one
// drawing fits a light and a dark page; every text is escaped.
#pragma once

#include <string>

#include "core/present/svg/time_plot.h"

namespace tcpscope {

enum class PageStyle : std::uint8_t { light, dark };

/// "--ink-0:#1b1f24;…": the colours of every ink, for a rule of a style sheet.
std::string plotInkProperties(PageStyle style);

/// The element, named by the plot's title and sentence.
std::string toInlineSvg(const TimePlot& plot);

}  // namespace tcpscope
