#include "core/present/svg/time_plot.h"

#include <gmock/gmock.h>

#include "core/present/svg/svg_canvas.h"
#include "core/present/svg/time_axis.h"

namespace tcpscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// 3 January 2026, 03:04:05 UTC.
constexpr std::int64_t kStartNs = 1'767'409'445'000'000'000;

TimePlot plotOf(double seconds, std::optional<std::int64_t> startNs = kStartNs) {
  TimePlot plot;
  plot.title = "Rate over time";
  plot.seconds = seconds;
  if (startNs) plot.begin = WallTime::fromNanoseconds(*startNs);
  plot.traces = {{"goodput", {{0.0, 12e6}, {seconds, 12e6}}}};
  return plot;
}

std::vector<std::string> labelsOf(const TimePlot& plot) {
  std::vector<std::string> labels;
  for (const AxisTick& tick : horizontalAxis(plot).ticks) labels.push_back(tick.label);
  return labels;
}

TEST(TimeAxis, IsTheClockOnTheWallAtRoundTimes) {
  EXPECT_THAT(labelsOf(plotOf(8.0)), ElementsAre("03:04:06", "03:04:08", "03:04:10", "03:04:12"));
  EXPECT_THAT(labelsOf(plotOf(120.0)), ElementsAre("03:04:30", "03:05:00", "03:05:30", "03:06:00"));
  EXPECT_EQ(horizontalAxis(plotOf(8.0)).caption, "UTC, 3 January 2026; 8.00 s in all");
}

TEST(TimeAxis, HasAsManyDecimalsAsItsStepNeeds) {
  EXPECT_THAT(labelsOf(plotOf(0.002)),
              ElementsAre("03:04:05.0000", "03:04:05.0005", "03:04:05.0010", "03:04:05.0015", "03:04:05.0020"));
}

TEST(TimeAxis, NamesTheDayOfWhatLastsForDays) {
  for (const std::string& label : labelsOf(plotOf(3 * 86'400.0))) EXPECT_THAT(label, testing::StartsWith("01-0"));
}

TEST(TimeAxis, WithoutAClockIsTheTimeSinceTheBeginning) {
  EXPECT_THAT(labelsOf(plotOf(8.0, std::nullopt)), ElementsAre("0", "1", "2", "3", "4", "5", "6", "7", "8"));
  EXPECT_EQ(horizontalAxis(plotOf(8.0, std::nullopt)).caption, "s since the beginning");
}

TEST(TimeAxis, NeverHasMoreTicksThanLabelsHaveRoomFor) {
  for (double seconds = 1e-8; seconds < 1e8; seconds *= 1.7) {
    EXPECT_LE(labelsOf(plotOf(seconds)).size(), 7U) << seconds;
  }
}

TEST(TimePlot, ABoundAThousandTimesTheRateLeavesTheAxisToTheRate) {
  TimePlot plot = plotOf(8.0);
  plot.traces.push_back({"possible", {{0.0, 12e9}, {8.0, 12e9}}, PlotTraceStyle::line, true});
  const std::string svg = toInlineSvg(plot);
  EXPECT_THAT(svg, HasSubstr("possible 12.0 Gbit/s, above this plot"));
  EXPECT_THAT(svg, HasSubstr(">15</text>")) << "Mbit/s: the largest tick";
  EXPECT_THAT(svg, Not(HasSubstr("Gbit/s</text>\n<text"))) << "no axis in Gbit/s";
}

TEST(TimePlot, ABoundThatLeavesTheAxisIsNamedBesideIt) {
  TimePlot plot = plotOf(8.0);
  plot.traces.push_back({"rwnd", {{0.0, 20e6}, {0.3, 12e9}, {8.0, 12e9}}, PlotTraceStyle::line, true});
  EXPECT_THAT(toInlineSvg(plot), HasSubstr("rwnd, up to 12.0 Gbit/s above this plot"));
}

TEST(TimePlot, ABoundThatIsNearIsDrawn) {
  TimePlot plot = plotOf(8.0);
  plot.traces.push_back({"possible", {{0.0, 40e6}, {8.0, 40e6}}, PlotTraceStyle::line, true});
  const std::string svg = toInlineSvg(plot);
  EXPECT_THAT(svg, Not(HasSubstr("above this plot")));
  EXPECT_THAT(svg, HasSubstr(">40</text>"));
}

TEST(TimePlot, ABoundBesideOneThatIsFarAboveHasItsOwnHeight) {
  TimePlot plot = plotOf(8.0);
  plot.traces.push_back({"cwnd", {{0.0, 40e6}, {8.0, 40e6}}, PlotTraceStyle::line, true});
  plot.traces.push_back({"rwnd", {{0.0, 12e9}, {8.0, 12e9}}, PlotTraceStyle::line, true});
  const std::string svg = toInlineSvg(plot);
  EXPECT_THAT(svg, HasSubstr("rwnd 12.0 Gbit/s, above this plot"));
  EXPECT_THAT(svg, Not(HasSubstr("cwnd 40.0 Mbit/s, above this plot")));
  EXPECT_THAT(svg, HasSubstr(">40</text>")) << "the axis reaches the one that is near";
}

TEST(TimePlot, ABoundThatLeavesTheAxisIsBrokenThere) {
  const auto linesOf = [](double middle) {
    TimePlot plot = plotOf(8.0);
    plot.traces.push_back(
        {"cwnd", {{0.0, 20e6}, {2.0, 20e6}, {4.0, middle}, {6.0, 20e6}, {8.0, 20e6}}, PlotTraceStyle::line, true});
    const std::string svg = toInlineSvg(plot);
    std::size_t count = 0;
    for (std::size_t at = svg.find("<polyline"); at != std::string::npos; at = svg.find("<polyline", at + 1)) ++count;
    return count;
  };
  EXPECT_EQ(linesOf(12e9), linesOf(20e6) + 1);
}

TEST(TimePlot, DrawsEachPointOnceAndEachBarOnce) {
  const auto rectanglesOf = [](const TimePlot& plot) {
    const std::string svg = toInlineSvg(plot);
    std::size_t count = 0;
    for (std::size_t at = svg.find("<rect"); at != std::string::npos; at = svg.find("<rect", at + 1)) ++count;
    return count;
  };
  TimePlot plot = plotOf(8.0);
  plot.traces.push_back({"retransmissions", {{1.0, 12e6}, {2.0, 12e6}, {3.0, 12e6}}, PlotTraceStyle::points});
  EXPECT_EQ(rectanglesOf(plot), 3U + 1U) << "and one in the legend";
  plot.traces = {{"measured", {{0.0, 12e6}, {4.0, 6e6}, {8.0, 0.0}}, PlotTraceStyle::bars}};
  EXPECT_EQ(rectanglesOf(plot), 2U + 1U);
}

}  // namespace
}  // namespace tcpscope
