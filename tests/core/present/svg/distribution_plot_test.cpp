#include "core/present/svg/distribution_plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace tcpscope {
namespace {

using testing::HasSubstr;
using testing::Not;

DistributionSeries seriesOf(std::string label, std::size_t runs) {
  DistributionSeries series;
  series.label = std::move(label);
  for (std::size_t run = 1; run <= runs; ++run) {
    series.points.push_back({static_cast<double>(run), 1e6 * static_cast<double>(run)});
  }
  return series;
}

TEST(Quantiles, AreBetweenTheValues) {
  const auto quantiles = quantilesOf(seriesOf("", 5).points).value();
  EXPECT_DOUBLE_EQ(quantiles.fifth, 1.2e6);
  EXPECT_DOUBLE_EQ(quantiles.lowerQuartile, 2e6);
  EXPECT_DOUBLE_EQ(quantiles.median, 3e6);
  EXPECT_DOUBLE_EQ(quantiles.upperQuartile, 4e6);
  EXPECT_DOUBLE_EQ(quantiles.ninetyFifth, 4.8e6);
  EXPECT_FALSE(quantilesOf({}));
  const std::vector<DistributionPoint> unknown = {{1.0, std::numeric_limits<double>::quiet_NaN()}};
  EXPECT_FALSE(quantilesOf(unknown));
}

TEST(DistributionPlot, DrawsEveryRunItsBoxAndWhatIsPrinted) {
  DistributionPlot plot;
  plot.title = "Before & after";
  plot.yLabel = "Throughput (bit/s)";
  plot.series = {seriesOf("mistuned", 601), seriesOf("tuned", 3)};
  plot.series[0].printed = SampleSummary{601, 11e6, 12e6, 1e6, Interval{10.9e6, 11.1e6}};
  const std::string picture = toSvg(plot);
  EXPECT_THAT(picture, HasSubstr("Before &amp; after"));
  EXPECT_THAT(picture, HasSubstr(">printed<"));
  EXPECT_THAT(picture, HasSubstr(">600<"));
  // One path a series and one a mark of the legend; the printed mean.
  std::size_t paths = 0;
  for (std::size_t at = picture.find("<path"); at != std::string::npos; at = picture.find("<path", at + 1)) ++paths;
  EXPECT_EQ(paths, 5U);
  // A box from four runs on.
  EXPECT_EQ(picture.find("<rect x="), picture.rfind("<rect x="));
  EXPECT_THAT(picture, HasSubstr("<rect x="));
  EXPECT_THAT(picture, Not(HasSubstr("nan")));
}

TEST(DistributionPlot, GrowsByItsTable) {
  DistributionPlot plot;
  plot.series = {seriesOf("mistuned", 2)};
  const double height = heightOf(plot);
  plot.table = {{"n", "Mean"}, {"2", "1.5 <b>"}};
  EXPECT_GT(heightOf(plot), height);
  EXPECT_THAT(toSvg(plot), HasSubstr(">1.5 &lt;b&gt;<"));
}

TEST(DistributionPlot, WithoutAnyRunIsAnEmptyPlot) {
  DistributionPlot plot;
  plot.series = {DistributionSeries{"tuned", {}, std::nullopt}};
  EXPECT_THAT(toSvg(plot), Not(HasSubstr("nan")));
}

}  // namespace
}  // namespace tcpscope
