// A plot of a report as a table.
#include <gtest/gtest.h>

#include "core/present/html/report_page.h"

namespace tcpscope {
namespace {

/// 8 Mbit/s for 4 s, which ends after half of the plot, in samples that are bursts and pauses.
TimePlot burstsInHalfOfThePlot() {
  TimePlot plot;
  plot.title = "Rate over time";
  plot.seconds = 10.0;
  PlotTrace rate{"goodput", {}};
  for (int step = 0; step <= 50; ++step) {
    const double seconds = step * 0.1;
    rate.points.push_back({seconds, step % 2 == 0 ? 0.0 : 16e6});
    rate.totals.push_back({seconds, seconds * 8e6});
  }
  plot.traces.push_back(rate);
  return plot;
}

TEST(PlotTable, GivesTheMeanOfEachSpanOfARate) {
  const ReportTable table = tableOf(burstsInHalfOfThePlot());
  ASSERT_EQ(table.rows.size(), 10U);
  EXPECT_EQ(table.rows[0], (std::vector<std::string>{"0 s – 1.00 s", "8.00 Mbit/s"}));
  EXPECT_EQ(table.rows[4][1], "8.00 Mbit/s");
  EXPECT_EQ(table.rows[5][1], "–") << "it was over";
}

TEST(PlotTable, CountsEveryEvent) {
  TimePlot plot = burstsInHalfOfThePlot();
  PlotTrace events{"retransmissions", {{1.5, 0.0}, {10.0, 0.0}}, PlotTraceStyle::points};
  events.counts = {{1.5, 1.0}, {1.51, 2.0}, {10.0, 1.0}};
  plot.traces.push_back(events);
  const ReportTable table = tableOf(plot);
  EXPECT_EQ(table.rows[1][2], "3");
  EXPECT_EQ(table.rows[9][2], "1");
}

TEST(PlotTable, HasNothingAfterTheEndOfATrace) {
  TimePlot plot;
  plot.quantity = PlotQuantity::duration;
  plot.seconds = 10.0;
  plot.traces.push_back({"RTT, first", {{0.0, 0.02}, {5.0, 0.02}}});
  plot.traces.back().endSeconds = 5.0;
  const ReportTable table = tableOf(plot);
  ASSERT_EQ(table.rows.size(), 11U);
  EXPECT_EQ(table.rows[5][1], "20.0 ms");
  EXPECT_EQ(table.rows[6][1], "–");
}

}  // namespace
}  // namespace tcpscope
