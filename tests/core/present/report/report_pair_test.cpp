#include "core/present/report/report_pair.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include <nlohmann/json.hpp>

#include "core/present/html/html_report.h"
#include "core/present/html/pair_page.h"
#include "core/present/json/report_document.h"
#include "core/present/report/anonymous_report.h"
#include "tests/support/json_schema.h"
#include "tests/support/report_example.h"

namespace tcpscope {
namespace {

using test::reportPair;
using testing::ElementsAre;
using testing::HasSubstr;

template <class Block>
std::vector<Block> blocksOf(const ReportPage& page) {
  std::vector<Block> all;
  for (const ReportBlock& block : page.blocks) {
    if (const auto* one = std::get_if<Block>(&block)) all.push_back(*one);
  }
  return all;
}

TEST(ReportPair, SaysHowMuchFasterTheSecondIs) {
  const ReportPair pair = reportPair("cubic");
  ASSERT_TRUE(pair.goodput);
  EXPECT_TRUE(pair.goodput->isDecided());
  EXPECT_NEAR(speedup(*pair.goodput, SampleKind::blocks), 5.0, 0.01);
  const ReportVerdict verdict = blocksOf<ReportVerdict>(pageOf(pair)).front();
  EXPECT_THAT(verdict.text, HasSubstr("5.00 times as fast in the second as in the first (95 %: "));
  EXPECT_THAT(verdict.note, HasSubstr("imited by the receive window"));
}

TEST(ReportPair, SaysWhetherTheVerdictIsTheSame) {
  EXPECT_EQ(reportPair("cubic").isSameVerdict(), false);
  const ReportModel report = reportPair("cubic").first;
  const ReportPair same = pairOf(report, report);
  ASSERT_TRUE(same.goodput);
  EXPECT_EQ(same.isSameVerdict(), true);
  EXPECT_NEAR(speedup(*same.goodput, SampleKind::blocks), 1.0, 1e-9);
  EXPECT_FALSE(same.goodput->isDecided());
  EXPECT_THAT(blocksOf<ReportVerdict>(pageOf(same)).front().note, HasSubstr("Both verdicts are the same: "));
}

TEST(ReportPair, ShowsLimitsInOneScaleAndCountsWhatDidNotHappen) {
  ReportPair pair = reportPair("cubic");
  auto shorter = std::make_shared<ConnectionDetail>(*pair.second.connections.front().detail);
  shorter->events.clear();
  ConnectionHistory history;
  for (const std::int64_t second : {1, 9}) {
    std::array<double, kMetricCount> values{};
    history.append(Moment::fromNanoseconds(second * 1'000'000'000), values);
  }
  shorter->history = history;
  pair.second.connections.front().detail = shorter;
  const ReportPage page = pageOf(pair);
  std::vector<double> lengths;
  for (const ReportFigure& figure : blocksOf<ReportFigure>(page)) {
    if (figure.plot.isStrip()) lengths.push_back(std::round(figure.plot.seconds));
  }
  EXPECT_THAT(lengths, ElementsAre(30.0, 30.0));
  const auto table = blocksOf<ReportTable>(page).front();
  EXPECT_THAT(table.rows, testing::Contains(ElementsAre("Retransmitted segments", "3", "0")));
}

TEST(ReportPair, NamesTheSettingsThatDifferAndNoOthers) {
  const auto different = differentSettings(reportPair("cubic"));
  ASSERT_EQ(different.size(), 2U);
  EXPECT_EQ(different[0].key, "net.ipv4.tcp_congestion_control");
  EXPECT_EQ(different[0].first, std::nullopt) << "only the second host reported it";
  EXPECT_EQ(different[0].second, "cubic");
  EXPECT_EQ(different[1].key, "net.ipv4.tcp_rmem");
  EXPECT_EQ(different[1].first, "4096 16384 131072");
  EXPECT_EQ(different[1].second, "4096 131072 6291456");
}

TEST(ReportPair, UnreportedSettingsAreNotCalledDifferent) {
  ReportPair pair = reportPair("cubic");
  pair.first.places.front().settings.reset();
  EXPECT_TRUE(differentSettings(pair).empty());
  EXPECT_THAT(toHtml(pageOf(pair)), HasSubstr("The settings of a host are unknown"));
}

TEST(ReportPair, DoesNotSayWhichIsFasterWhereASpeedDidNotHoldStill) {
  const ReportModel changing = makeReport(test::reportInput("cubic"));
  const ReportPair pair = pairOf(reportPair("cubic").first, changing);
  EXPECT_FALSE(pair.goodput);
  EXPECT_THAT(blocksOf<ReportVerdict>(pageOf(pair)).front().text, HasSubstr("No comparison of the rates"));
}

TEST(ReportPair, PutsBothIntoTheSameAxes) {
  const auto figures = blocksOf<ReportFigure>(pageOf(reportPair("cubic")));
  ASSERT_GE(figures.size(), 1U);
  std::vector<std::string> labels;
  for (const PlotTrace& trace : figures.front().plot.traces) labels.push_back(trace.label);
  EXPECT_THAT(labels, ElementsAre("goodput, first", "goodput, second"));
  EXPECT_THAT(figures.front().plot.sentence, HasSubstr("Second: 192.0.2.1 sent 60.0 Mbit/s all the time."));
}

TEST(ReportPair, WithNothingOnOneSideSaysSo) {
  ReportInput empty = test::reportInput("cubic");
  empty.details.clear();
  const ReportPair pair = pairOf(makeReport(test::reportInput("cubic")), makeReport(empty));
  EXPECT_FALSE(pair.isSameVerdict());
  EXPECT_FALSE(pair.goodput);
  EXPECT_THAT(blocksOf<ReportVerdict>(pageOf(pair)).front().text,
              HasSubstr("no connection of the second carried data"));
  EXPECT_TRUE(test::conformsTo(comparisonSchema(), toJson(pair)));
}

TEST(ReportPair, IsADocumentWithASchema) {
  const std::string document = toJson(reportPair("cubic"));
  EXPECT_TRUE(test::conformsTo(comparisonSchema(), document));
  const auto parsed = nlohmann::json::parse(document);
  EXPECT_TRUE(test::conformsTo(reportSchema(), parsed.at("first").dump()));
  EXPECT_FALSE(parsed.at("same_verdict"));
  EXPECT_NEAR(parsed.at("goodput").at("speedup_ratio").get<double>(), 5.0, 0.01);
  EXPECT_EQ(parsed.at("settings").size(), 2U);
}

TEST(ReportPair, HasOnePlaceholderForWhatBothSpeakOf) {
  const ReportPair pair = anonymous(reportPair("cubic"));
  EXPECT_TRUE(pair.second.isAnonymous);
  EXPECT_EQ(pair.first.places.front().host, pair.second.places.front().host);
  EXPECT_EQ(pair.first.connections.front().detail->socket.local, pair.second.connections.front().detail->socket.local);
  EXPECT_TRUE(pair.goodput);
}

}  // namespace
}  // namespace tcpscope
