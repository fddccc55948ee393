#include "core/present/html/report_guide.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "core/present/text/tuning_guide.h"
#include "tests/support/report_example.h"

namespace tcpscope {
namespace {

using test::reportInput;
using testing::ElementsAre;

/// Loads of the guide's rows that are marked.
std::vector<std::string> markedRows(const ReportPage& page) {
  std::vector<std::string> marked;
  for (const ReportBlock& block : page.blocks) {
    const auto* table = std::get_if<ReportTable>(&block);
    if (table == nullptr || table->columns.front() != "Load") continue;
    EXPECT_EQ(table->rows.size(), kTuningLoads.size());
    for (const auto& row : table->rows) {
      if (row.front().starts_with("▶")) marked.push_back(row.front());
    }
  }
  return marked;
}

/// The same connection again, on another port, so much later.
std::shared_ptr<const ConnectionDetail> anotherStream(const ReportInput& input, Nanoseconds later,
                                                      double bytesAStep = 1e6) {
  auto other = std::make_shared<ConnectionDetail>(*input.details.front());
  other->socket = test::ObservationBuilder().cookie(2).local("192.0.2.1", 50001).build();
  other->history = ConnectionHistory();
  std::array<double, kMetricCount> values;
  values.fill(std::numeric_limits<double>::quiet_NaN());
  values[static_cast<std::size_t>(Metric::rtt)] = 20'000.0;
  values[static_cast<std::size_t>(Metric::minRtt)] = 20'000.0;
  for (int step = 0; step < 10; ++step) {
    values[static_cast<std::size_t>(Metric::bytesAcked)] = bytesAStep * step;
    other->history.append(*input.details.front()->history.firstTime() + later + Milliseconds(100) * step, values);
  }
  return other;
}

TEST(ReportGuide, MarksTheLoadOfTheConnection) {
  EXPECT_THAT(markedRows(pageOf(makeReport(reportInput("nginx")))),
              ElementsAre("▶ A few large transfers: backup, replication, bulk data (this connection)"));
}

TEST(ReportGuide, ConnectionsBesideEachOtherAreParallelStreams) {
  ReportInput input = reportInput("nginx");
  input.details.push_back(anotherStream(input, Milliseconds(1000)));
  EXPECT_THAT(markedRows(pageOf(makeReport(input))),
              ElementsAre("▶ Parallel streams of one transfer (connections 1, 2)"));
}

TEST(ReportGuide, AFewMessagesBesideATransferAreNoStreamOfIt) {
  ReportInput input = reportInput("nginx");
  input.details.push_back(anotherStream(input, Milliseconds(1000), 100.0));
  EXPECT_THAT(markedRows(pageOf(makeReport(input))),
              ElementsAre("▶ Many short transfers: web and media servers (connection 2)",
                          "▶ A few large transfers: backup, replication, bulk data (connection 1)"));
}

TEST(ReportGuide, AConnectionAfterTheOtherIsNotParallelToIt) {
  ReportInput input = reportInput("nginx");
  input.details.push_back(anotherStream(input, std::chrono::minutes(5)));
  EXPECT_THAT(markedRows(pageOf(makeReport(input))),
              ElementsAre("▶ A few large transfers: backup, replication, bulk data (connections 1, 2)"));
}

TEST(ReportGuide, MarksNothingWithoutItsRtt) {
  ReportInput input = reportInput("nginx");
  auto detail = std::make_shared<ConnectionDetail>(*input.details.front());
  detail->history = ConnectionHistory();
  input.details = {detail};
  EXPECT_THAT(markedRows(pageOf(makeReport(input))), ElementsAre());
}

TEST(ReportGuide, IsOfTheAppendix) {
  const ReportPage page = pageOf(makeReport(reportInput("nginx")), ReportExtent::brief);
  for (const ReportBlock& block : page.blocks) {
    const auto* heading = std::get_if<ReportHeading>(&block);
    EXPECT_TRUE(heading == nullptr || heading->text != kTuningGuideTitle);
  }
}

}  // namespace
}  // namespace tcpscope
