// The first pages of a report: what to do and by whom, where a setting helps and where none does.
#include "core/present/html/report_summary.h"

#include <gmock/gmock.h>

#include "tests/support/report_example.h"

namespace tcpscope {
namespace {

using testing::HasSubstr;

/// Name and text of all facts, a line each, and all cells of tables.
std::string textOf(const ReportModel& report) {
  std::string text;
  std::vector<ReportBlock> blocks;
  addSummary(blocks, report, 0);
  for (const ReportBlock& block : blocks) {
    if (const auto* facts = std::get_if<ReportFacts>(&block)) {
      for (const auto& [name, value] : facts->rows) text += name + ": " + value + '\n';
    }
    if (const auto* table = std::get_if<ReportTable>(&block)) {
      for (const auto& row : table->rows) {
        for (const std::string& cell : row) text += cell + " | ";
        text += '\n';
      }
    }
  }
  return text;
}

/// Without advice, by this limit.
ReportModel limitedBy(Limit limit, Cause cause, Side bulk = Side::sending) {
  ReportInput input = test::reportInput("nginx");
  auto detail = std::make_shared<ConnectionDetail>(*input.details.front());
  SideDiagnosis side = *detail->diagnosis.sending;
  side.side = bulk;
  side.verdict.limit = limit;
  side.verdict.cause = cause;
  detail->diagnosis.sending.reset();
  (bulk == Side::sending ? detail->diagnosis.sending : detail->diagnosis.receiving) = side;
  detail->diagnosis.bulk = bulk;
  detail->diagnosis.verdict = side.verdict;
  input.details.front() = detail;
  ReportModel report = makeReport(input);
  for (auto* advice : {&report.connections.front().advice.sending, &report.connections.front().advice.receiving}) {
    if (*advice) (*advice)->remedies.clear();
  }
  return report;
}

TEST(ReportSummary, NamesWhoHasToActAndWhatItBrings) {
  const std::string text = textOf(makeReport(test::reportInput("nginx")));
  EXPECT_THAT(text, HasSubstr("1 | Ask for a larger receive buffer at the peer | Administrator of the peer, "
                              "198.51.100.2 | "));
}

TEST(ReportSummary, StatesTheMeanOfTheWholeObservation) {
  EXPECT_THAT(textOf(makeReport(test::reportInput("nginx"))),
              HasSubstr("Mean rate: 18.0 Mbit/s sent: 64.5 MiB in 30.0 s, the whole observation"));
}

TEST(ReportSummary, NamesWhoCanFindTheCauseWhereNoSettingHelps) {
  EXPECT_THAT(textOf(limitedBy(Limit::network, Cause::loss)),
              HasSubstr("By whom: Operator of the network between 192.0.2.1 and 198.51.100.2"));
  EXPECT_THAT(textOf(limitedBy(Limit::application, Cause::slowWriter)),
              HasSubstr("By whom: Developer or administrator of the application nginx on nginx (192.0.2.1)"));
  EXPECT_THAT(textOf(limitedBy(Limit::application, Cause::slowWriter, Side::receiving)),
              HasSubstr("By whom: Developer or administrator of the application on 198.51.100.2"));
  EXPECT_THAT(textOf(limitedBy(Limit::receiver, Cause::slowReader)),
              HasSubstr("By whom: Developer or administrator of the application on 198.51.100.2"));
  EXPECT_THAT(textOf(limitedBy(Limit::application, Cause::slowReader, Side::receiving)),
              HasSubstr("of the application nginx on nginx"));
}

TEST(ReportSummary, SeparatesWhatTheSenderCanDoFromWhatTheNetworkCan) {
  ReportModel report = limitedBy(Limit::network, Cause::loss);
  report.connections.front().advice.sending->whyNot = WhyNoAdvice::congestionControlUnknown;
  const std::string text = textOf(report);
  const std::size_t network = text.find("By whom: Operator of the network between 192.0.2.1 and 198.51.100.2");
  const std::size_t sender = text.find("At the sender: The congestion control in use is unknown.");
  EXPECT_LT(network, sender) << text;
  EXPECT_THAT(text.substr(sender), HasSubstr("By whom: Administrator of nginx (192.0.2.1)"));
}

TEST(ReportSummary, ShortensNamesThatWouldFillAPage) {
  EXPECT_LT(textOf(limitedBy(Limit::application, Cause::slowWriter)).size(), 4'000U);
  ReportInput input = test::reportInput(std::string(3'000, 'x'));
  input.details.front() = std::make_shared<ConnectionDetail>(*input.details.front());
  ReportModel report = makeReport(input);
  report.connections.front().changes.clear();
  EXPECT_LT(textOf(report).size(), 4'000U);
}

}  // namespace
}  // namespace tcpscope
