#include "core/present/report/summary_plots.h"

#include <gmock/gmock.h>

#include "core/present/html/report_page.h"
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

TEST(ObservedTransfer, IsTheMeanOfTheWholeAndNotOfTheLastSeconds) {
  const auto transfer = observedTransfer(exampleDetail());
  ASSERT_TRUE(transfer);
  EXPECT_NEAR(transfer->seconds, 30.0, 1e-9);
  EXPECT_NEAR(transfer->rate().value(), 18e6, 0.2e6) << "12 and 24 Mbit/s for as long";
  EXPECT_FALSE(transfer->isCaptured);
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
