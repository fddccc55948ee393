#include "core/present/svg/svg_plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace tcpscope {
namespace {

using testing::HasSubstr;
using testing::Not;

SampleSummary of(std::initializer_list<double> values) {
  return summarize(std::vector<double>(values));
}

TEST(SvgPlot, PutsTheLargestMeanBelowARoundTop) {
  const SvgPlot plot{"Rate over streams", "streams", "goodput_bps", {"1", "2"}, {{"50 ms", {of({40e6}), of({80e6})}}}};
  const std::string svg = toSvg(plot);
  EXPECT_THAT(svg, HasSubstr(">80 M<"));
  EXPECT_THAT(svg, Not(HasSubstr(">100 M<")));
  // The plot's area reaches from y = 50 (the top) to 410: half of the top is in the middle.
  EXPECT_THAT(svg, HasSubstr(R"(points="220.0,230.0 480.0,50.0")"));
}

TEST(SvgPlot, DrawsTheIntervalOfRepeatedRunsAndNoneOfASingleOne) {
  const SvgPlot single{"", "", "", {"a"}, {{"s", {of({10.0})}}}};
  const SvgPlot repeated{"", "", "", {"a"}, {{"s", {of({9.0, 10.0, 11.0})}}}};
  const auto thinLines = [](const std::string& svg) { return svg.find("stroke-width=\"1.5\"") != std::string::npos; };
  EXPECT_FALSE(thinLines(toSvg(single)));
  EXPECT_TRUE(thinLines(toSvg(repeated)));
}

TEST(SvgPlot, LeavesAGapWhereNothingWasMeasured) {
  const SvgPlot plot{"", "", "", {"a", "b", "c"}, {{"s", {of({1.0}), std::nullopt, of({1.0})}}}};
  const std::string svg = toSvg(plot);
  std::size_t circles = 0;
  for (std::size_t at = svg.find("<circle"); at != std::string::npos; at = svg.find("<circle", at + 1)) ++circles;
  EXPECT_EQ(circles, 2U);
  // Nor does a line bridge it.
  EXPECT_THAT(svg, Not(HasSubstr("176.7,50.0 523.3,50.0")));
  EXPECT_THAT(svg, HasSubstr("points=\"176.7,50.0\""));
}

TEST(SvgPlot, ASingleSeriesWithoutANameHasTheWholeWidth) {
  const std::string svg = toSvg(SvgPlot{"", "", "", {"a"}, {{"", {of({1.0})}}}});
  // The axis reaches from x = 90 to the margin, with the only point in its middle and no key beside it.
  EXPECT_THAT(svg, HasSubstr(R"(points="430.0,50.0")"));
  EXPECT_THAT(svg, Not(HasSubstr(R"(x1="784.0")")));
}

TEST(SvgPlot, EscapesEveryText) {
  const std::string svg = toSvg(SvgPlot{"<script>", "&", "\"", {"<a>"}, {{"<b>", {of({1.0})}}}});
  EXPECT_THAT(svg, Not(HasSubstr("<script>")));
  EXPECT_THAT(svg, Not(HasSubstr("<a>")));
  EXPECT_THAT(svg, Not(HasSubstr("<b>")));
  EXPECT_THAT(svg, HasSubstr("&lt;script&gt;"));
}

TEST(SvgPlot, ALogarithmicAxisGoesByDecadesAndLeavesOutWhatIsNotAboveZero) {
  SvgPlot plot{"", "", "", {"a", "b", "c"}, {{"", {of({0.01}), of({0.0}), of({10.0})}}}};
  plot.isLogarithmic = true;
  const std::string svg = toSvg(plot);
  // Four decade marks over three decades; the points at the bottom and the top.
  for (const char* const tick : {">0.01<", ">0.1<", ">1<", ">10<"}) EXPECT_THAT(svg, HasSubstr(tick));
  EXPECT_THAT(svg, testing::AllOf(HasSubstr("\"203.3,410.0\""), HasSubstr("\"656.7,50.0\"")));
}

TEST(SvgPlot, BarsOfOneDeviationReplaceTheInterval) {
  SvgPlot plot{"", "", "", {"a"}, {{"", {of({9.0, 10.0, 11.0})}}}};
  plot.showsDeviation = true;
  // Mean 10, deviation 1: from 9 to 11 below a top of 15.
  EXPECT_THAT(toSvg(plot), HasSubstr(R"(y1="194.0" x2="430.0" y2="146.0")"));
}

TEST(SvgPlot, TheBoundIsNamedAndWithinTheAxis) {
  SvgPlot plot{"", "", "", {"a"}, {{"", {of({1.0})}}}};
  plot.bound = SvgBound{4.0, "<bound>"};
  const std::string svg = toSvg(plot);
  EXPECT_THAT(svg, HasSubstr("&lt;bound&gt;"));
  EXPECT_THAT(svg, HasSubstr(">4<"));
}

TEST(SvgPlot, DrawsAnEmptyPlot) {
  EXPECT_THAT(toSvg(SvgPlot{}), HasSubstr("</svg>"));
}

}  // namespace
}  // namespace tcpscope
