#include "core/present/report/summary_plots.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <limits>

#include "core/present/html/report_page.h"
#include "core/present/report/report_plots.h"
#include "core/session/capture/captured_packets.h"
#include "core/wire/loss/loss_summary.h"
#include "tests/support/report_example.h"

namespace tcpscope {
namespace {

using testing::HasSubstr;

ConnectionDetail exampleDetail() {
  return *test::reportInput("nginx").details.front();
}

/// Two packets lost together every second, at an RTT of 20 ms.
std::shared_ptr<const LossSummary> pairedLosses() {
  std::vector<Moment> drops;
  for (std::int64_t second = 0; second < 20; ++second) {
    drops.push_back(Moment::fromNanoseconds(second * 1'000'000'000));
    drops.push_back(Moment::fromNanoseconds(second * 1'000'000'000 + 100'000));
  }
  return std::make_shared<LossSummary>(summarizeDropLog(drops, std::chrono::milliseconds(20)));
}

TEST(SequencePlot, CountsAcknowledgedBytesFromTheFirstSampleOn) {
  ConnectionDetail detail = exampleDetail();
  detail.events = {{Moment::fromNanoseconds(11'000'000'000), HistoryEventKind::retransmission, 2},
                   {Moment::fromNanoseconds(21'000'000'000), HistoryEventKind::timeout, 1}};
  const auto plot = sequencePlot(detail, ClockPair{});
  ASSERT_TRUE(plot);
  ASSERT_EQ(plot->traces.size(), 3U);
  EXPECT_EQ(plot->traces[0].points.front().value, 0.0);
  EXPECT_NEAR(plot->traces[0].points.back().value, (12e6 * 15 + 24e6 * 15) / 8, 1e6);
  EXPECT_EQ(plot->traces[1].label, "retransmission");
  EXPECT_EQ(plot->traces[2].label, "timeout (RTO)");
  EXPECT_NEAR(plot->traces[2].points.at(0).seconds, 20.0, 1e-9);
  const ReportTable table = tableOf(*plot);
  for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.columns.size());
}

TEST(SequencePlot, IsAbsentWhereNoBytesWereCounted) {
  ConnectionDetail detail = exampleDetail();
  detail.history = ConnectionHistory();
  EXPECT_FALSE(sequencePlot(detail, ClockPair{}));
  EXPECT_FALSE(observedTransfer(detail));
}

TEST(WindowPlot, SaysNothingOfAWindowThatIsNotKnown) {
  ConnectionDetail detail = exampleDetail();
  detail.history = ConnectionHistory();
  std::array<double, kMetricCount> values{};
  values.fill(std::numeric_limits<double>::quiet_NaN());
  values[static_cast<std::size_t>(Metric::sndWnd)] = 65'536.0;
  for (std::int64_t second = 1; second <= 3; ++second) {
    detail.history.append(Moment::fromNanoseconds(second * 1'000'000'000), values);
  }
  const auto plots = plotsOf(detail);
  const auto windows = std::find_if(plots.begin(), plots.end(), [](const TimePlot& plot) {
    return plot.title == "Windows and data in flight over time";
  });
  ASSERT_NE(windows, plots.end());
  EXPECT_EQ(windows->sentence, "The peer's receive window was 64.0 KiB all the time.");
}

TEST(ObservedTransfer, IsTheMeanOfTheWholeAndNotOfTheLastSeconds) {
  const auto transfer = observedTransfer(exampleDetail());
  ASSERT_TRUE(transfer);
  EXPECT_NEAR(transfer->seconds, 30.0, 1e-9);
  EXPECT_NEAR(transfer->rate().value(), 18e6, 0.2e6) << "12 and 24 Mbit/s for as long";
  EXPECT_FALSE(transfer->isCaptured);
}

TEST(RatePlot, HasTheMeansAroundAChangeWithTheirIntervals) {
  const ReportModel report = makeReport(test::reportInput("nginx"));
  const ReportedConnection& connection = report.connections.front();
  TimePlot plot = plotsOf(*connection.detail, report.clock).front();
  const std::size_t before = plot.traces.size();
  addMeans(plot, connection);
  ASSERT_EQ(plot.traces.size(), before + 1);
  const std::vector<PlotPoint>& means = plot.traces.back().points;
  ASSERT_EQ(means.size(), 4U);
  EXPECT_NEAR(means[0].value, 12e6, 0.3e6);
  EXPECT_NEAR(means[1].seconds, 15.0, 1e-9) << "when the setting changed";
  EXPECT_NEAR(means[2].seconds, 15.0, 1e-9);
  EXPECT_NEAR(means[3].value, 24e6, 0.3e6);
  ASSERT_EQ(plot.bands.size(), 2U);
  EXPECT_LT(plot.bands[0].low, means[0].value);
  EXPECT_GT(plot.bands[0].high, means[0].value);
  EXPECT_NEAR(plot.bands[1].toSeconds, 30.0, 1e-6);
}

TEST(RatePlot, HasNoMeansWithoutAMeasuredChange) {
  ReportModel report = makeReport(test::reportInput("nginx"));
  report.connections.front().changes.front().comparison.reset();
  TimePlot plot = plotsOf(*report.connections.front().detail, report.clock).front();
  const std::size_t before = plot.traces.size();
  addMeans(plot, report.connections.front());
  EXPECT_EQ(plot.traces.size(), before);
  EXPECT_TRUE(plot.bands.empty());
}

TEST(LossesOf, AreThoseOfTheBulkWhicheverEndOpenedTheConnection) {
  ConnectionDetail detail = exampleDetail();
  auto packets = std::make_shared<CapturedPackets>();
  packets->analysis.directions[0].loss.lostPackets = 1;
  packets->analysis.directions[1].loss.lostPackets = 7;
  packets->analysis.flow.initiator = detail.socket.local;
  detail.packets = packets;
  detail.diagnosis.bulk = Side::sending;
  EXPECT_EQ(lossesOf(detail)->lostPackets, 1U);
  detail.diagnosis.bulk = Side::receiving;
  EXPECT_EQ(lossesOf(detail)->lostPackets, 7U);
  packets->analysis.flow.initiator = detail.socket.remote;
  EXPECT_EQ(lossesOf(detail)->lostPackets, 1U);
  detail.diagnosis.bulk = Side::sending;
  EXPECT_EQ(lossesOf(detail)->lostPackets, 7U) << "a server that sends a download";
}

TEST(LossIntervals, StandInDecadesBesideIndependentLosses) {
  ConnectionDetail detail = exampleDetail();
  EXPECT_FALSE(lossIntervalPlot(detail));
  detail.losses = pairedLosses();
  const auto plot = lossIntervalPlot(detail);
  ASSERT_TRUE(plot);
  ASSERT_EQ(plot->traces.size(), 2U);
  EXPECT_EQ(plot->firstDecade, -3.0) << "100 µs are 0.005 RTT";
  EXPECT_EQ(plot->seconds, 5.0) << "a second is 50 RTTs";
  double sum = 0.0;
  for (const PlotPoint& bar : plot->traces[0].points) sum += bar.value;
  EXPECT_NEAR(sum, 1.0, 1e-9);
  EXPECT_THAT(plot->sentence, HasSubstr("40 packets were lost, in 20 loss events. 51.3 % of the intervals"));
  const ReportTable table = tableOf(*plot);
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_THAT(table.rows[0], testing::ElementsAre("0.0042 RTT", "51.3 %", testing::_));
}

TEST(LossIntervals, AreLeftOutWhereTheyAreFew) {
  ConnectionDetail detail = exampleDetail();
  auto few = std::make_shared<LossSummary>();
  few->lostPackets = 3;
  few->intervalsRtt = {1.0, 2.0};
  detail.losses = few;
  EXPECT_FALSE(lossIntervalPlot(detail));
}

}  // namespace
}  // namespace tcpscope
