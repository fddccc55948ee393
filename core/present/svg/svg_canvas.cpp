#include "core/present/svg/svg_canvas.h"

#include <fmt/format.h>

#include <iterator>

#include "core/base/escape.h"

namespace tcpscope {

namespace {

class SvgCanvas final : public PlotCanvas {
public:
  explicit SvgCanvas(std::string& out) : m_out(out) {}

  void polyline(std::span<const PlotPosition> points, const PlotStroke& stroke) override {
    m_out += "<polyline points=\"";
    for (const PlotPosition& point : points) add("{:.1f},{:.1f} ", point.x, point.y);
    add("\" fill=\"none\" stroke=\"var(--ink-{})\" stroke-width=\"{:g}\"", static_cast<unsigned>(stroke.ink),
        stroke.width);
    if (!stroke.dash.empty()) {
      m_out += " stroke-dasharray=\"";
      for (const double length : stroke.dash) add("{:g} ", length);
      m_out += '"';
    }
    m_out += "/>\n";
  }

  void rectangle(PlotPosition corner, double width, double height, PlotInk ink) override {
    add("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"var(--ink-{})\"/>\n", corner.x,
        corner.y, width, height, static_cast<unsigned>(ink));
  }

  void text(PlotPosition baseline, std::string_view text, PlotAnchor anchor, PlotInk ink) override {
    constexpr std::array<std::string_view, 3> kAnchors = {"start", "middle", "end"};
    add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" fill=\"var(--ink-{})\">{}</text>\n", baseline.x, baseline.y,
        kAnchors[static_cast<std::size_t>(anchor)], static_cast<unsigned>(ink), forHtml(text));
  }

private:
  template <class... Values>
  void add(fmt::format_string<Values...> form, Values&&... values) {
    fmt::format_to(std::back_inserter(m_out), form, std::forward<Values>(values)...);
  }

  std::string& m_out;
};

}  // namespace

std::string plotInkProperties(PageStyle style) {
  std::string text;
  for (std::size_t ink = 0; ink < kPlotInks; ++ink) {
    const PlotColor& color = kPlotColors[ink];
    text += fmt::format("--ink-{}:#{:06x};", ink, style == PageStyle::light ? color.light : color.dark);
  }
  return text;
}

std::string toInlineSvg(const TimePlot& plot) {
  std::string out = fmt::format("<svg viewBox=\"0 0 {:g} {:g}\" role=\"img\" aria-label=\"{}. {}\">\n", kPlotWidth,
                                plotHeight(plot), forHtml(plot.title), forHtml(plot.sentence));
  SvgCanvas canvas(out);
  draw(plot, canvas);
  return out + "</svg>\n";
}

}  // namespace tcpscope
