// A white picture of its own as SVG, built element by element: what the drawings of the lab's figures share. Every text
// is escaped.
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/escape.h"

namespace tcpscope {

class SvgPicture {
public:
  SvgPicture(double width, double height) {
    add(R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {}" font-family="sans-serif" font-size="13">)"
        "\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        width, height);
  }

  /// Any elements, escaped by the caller.
  template <class... Values>
  void add(fmt::format_string<Values...> form, Values&&... values) {
    fmt::format_to(std::back_inserter(m_text), form, std::forward<Values>(values)...);
  }
  /// `anchor`: start, middle or end; `more`: attributes, each behind a blank.
  void text(double x, double y, std::string_view anchor, std::string_view content, std::string_view more = {}) {
    add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, more, forHtml(content));
  }
  /// Along the left edge, upwards.
  void verticalText(double middle, std::string_view content) {
    constexpr double kX = 20;
    text(kX, middle, "middle", content, fmt::format(" transform=\"rotate(-90 {} {:.0f})\"", kX, middle));
  }
  void line(double x1, double y1, double x2, double y2, std::string_view color, double width) {
    add("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-width=\"{}\"/>\n", x1, y1,
        x2, y2, color, width);
  }

  /// Once.
  std::string finish() {
    m_text += "</svg>\n";
    return std::move(m_text);
  }

private:
  std::string m_text;
};

}  // namespace tcpscope
