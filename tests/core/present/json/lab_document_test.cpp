#include "core/present/json/lab_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/json_schema.h"
#include "tests/support/observation_builder.h"

namespace tcpscope::lab {
namespace {

using nlohmann::json;
using test::conformsTo;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

Truth lossTruth() {
  return {"main", Limit::network, Cause::loss, {"network_loss"}, {"any"}};
}

LabFigures figures(double goodput) {
  LabFigures result;
  result.goodput = BitsPerSecond(goodput);
  result.utilizationRatio = goodput / 100e6;
  result.jainFairnessRatio = 0.98;
  result.completionSeconds = 12.5;
  result.drops = 17;
  result.traffic = {{"one", 1, BitsPerSecond(goodput / 2), BitsPerSecond(50e6), {12.5}},
                    {"two", 2, BitsPerSecond(goodput / 2), std::nullopt, {}}};
  result.hosts = {{"sender", 0.25, 3.5, Bytes(4'194'304)}, {"receiver", std::nullopt, std::nullopt, std::nullopt}};
  return result;
}

/// Of a run whose path was late.
LabFigures lateFigures(double goodput) {
  LabFigures result = figures(goodput);
  result.lateness = {Microseconds(2500), Microseconds(41'000)};
  return result;
}

LabRunDocument fullRun() {
  LabRunDocument run;
  run.time = WallTime::fromNanoseconds(1'767'323'045'000'006'789);
  run.scenario = "random_loss";
  run.title = "Random loss";
  run.truth = lossTruth();
  run.path = {{"rate_bps", 100e6}, {"delay_us", 10'000}};
  run.figures = figures(40e6);
  Agreement agreement;
  agreement.sender = {Limit::network, Cause::loss, 0.9};
  agreement.senderAgrees = true;
  agreement.receiverAgrees = true;
  run.agreements = {agreement};
  run.notes = {"the machine was late by 3 ms"};
  run.cells = {cellOf({{"path.delay", "10 ms"}}, {figures(39e6), figures(41e6)})};
  run.places = {{PlaceId{0}, UntrustedText("sender"), "", "1", UntrustedText("6.18")}};
  auto detail = std::make_shared<ConnectionDetail>();
  detail->socket = test::ObservationBuilder().cookie(7).build();
  run.connections = {detail};
  return run;
}

TEST(LabDocument, ARunConformsToItsSchema) {
  EXPECT_TRUE(conformsTo(labSchema(), toJson(fullRun())));
}

TEST(LabDocument, StatesProcessorTimeAndMemoryOfEachHost) {
  const json run = json::parse(toJson(fullRun()));
  const json& hosts = run.at("result").at("hosts");
  EXPECT_EQ(hosts[0], json({{"name", "sender"},
                            {"cpu_ratio", 0.25},
                            {"cpu_ns_per_byte", 3.5},
                            {"socket_memory_peak_bytes", 4'194'304}}));
  EXPECT_EQ(hosts[1], json({{"name", "receiver"}})) << "unknown, not zero";
  const json& cell = run.at("cells")[0].at("figures");
  EXPECT_EQ(cell.at("cpu_ratio.sender").at("mean"), 0.25);
  EXPECT_EQ(cell.at("socket_memory_peak_bytes.sender").at("n"), 2);
  EXPECT_FALSE(cell.contains("cpu_ratio.receiver"));
}

TEST(LabDocument, CountsLateRunsAndHasNoFiguresOfThem) {
  LabRunDocument run = fullRun();
  run.cells = {cellOf({}, {figures(39e6), figures(41e6), lateFigures(1e6)}), cellOf({}, {lateFigures(1e6)})};
  EXPECT_TRUE(conformsTo(labSchema(), toJson(run)));
  const json cells = json::parse(toJson(run)).at("cells");
  EXPECT_EQ(cells[0].at("runs"), 3);
  EXPECT_EQ(cells[0].at("figures").at("goodput_bps").at("n"), 2);
  EXPECT_EQ(cells[0].at("figures").at("goodput_bps").at("mean"), 40'000'000);
  EXPECT_EQ(cells[0].at("left_out"), json({{"runs", 1}, {"lateness_p999_us", 2500}, {"lateness_max_us", 41'000}}));
  EXPECT_TRUE(cells[1].at("figures").empty());
  EXPECT_FALSE(json::parse(toJson(fullRun())).at("cells")[0].contains("left_out"));
}

TEST(LabDocument, ASkippedRunConforms) {
  LabRunDocument run;
  run.scenario = "web100";
  run.title = "x";
  run.skipped = "no such congestion control here";
  EXPECT_TRUE(conformsTo(labSchema(), toJson(run)));
  EXPECT_TRUE(json::parse(toJson(run)).at("agrees").is_null());
}

TEST(LabDocument, AListConforms) {
  const std::vector<LabListEntry> list = {{"random_loss", "Random loss", lossTruth()}, {"grid", "A grid", {}}};
  const std::string document = toJson(list);
  EXPECT_TRUE(conformsTo(labSchema(), document));
  EXPECT_EQ(json::parse(document).at("scenarios").at(0).at("truth").at("cause"), "loss");
  EXPECT_TRUE(json::parse(document).at("scenarios").at(1).at("truth").is_null());
}

TEST(LabDocument, TheSchemaRefusesWhatIsWrong) {
  json run = json::parse(toJson(fullRun()));
  run["agrees"] = "perhaps";
  EXPECT_FALSE(conformsTo(labSchema(), run.dump()));
  run = json::parse(toJson(fullRun()));
  run["truth"]["limit"] = "fate";
  EXPECT_FALSE(conformsTo(labSchema(), run.dump()));
}

TEST(LabDocument, AgreesWhereEveryRunDid) {
  LabRunDocument run = fullRun();
  EXPECT_EQ(run.agrees(), true);
  run.agreements.push_back(run.agreements.front());
  run.agreements.back().missingFindings = {"network_loss"};
  EXPECT_EQ(run.agrees(), false);
  run.truth.reset();
  EXPECT_EQ(run.agrees(), std::nullopt);
}

TEST(LabTable, IsOneLineOfCsvAFigure) {
  const std::string csv = toCsv({cellOf({{"path.delay", "10 ms"}, {"flows", "4"}}, {figures(39e6), figures(41e6)})});
  EXPECT_THAT(csv, StartsWith("path.delay,flows,figure,n,mean,standard_deviation,mean_95_low,mean_95_high,median,"
                              "runs_left_out\n"
                              "10 ms,4,goodput_bps,2,40000000,"));
  EXPECT_THAT(csv, HasSubstr("10 ms,4,completion_s,2,12.5,0,12.5,12.5,12.5,0\n"));
  EXPECT_THAT(csv, HasSubstr("10 ms,4,goodput_bps.two,2,20000000,"));
  EXPECT_THAT(csv, HasSubstr("10 ms,4,cpu_ns_per_byte.sender,2,3.5,"));
}

TEST(LabTable, LeavesOutLateRunsAndCountsThem) {
  const LabCell some = cellOf({{"path.delay", "10 ms"}}, {figures(39e6), lateFigures(10e6), lateFigures(12e6)});
  EXPECT_THAT(toCsv({some}), HasSubstr("10 ms,goodput_bps,1,39000000,,,,39000000,2\n"));
  const LabCell none = cellOf({{"path.delay", "10 ms"}}, {lateFigures(10e6)});
  EXPECT_THAT(toCsv({none}), EndsWith("\n10 ms,goodput_bps,0,,,,,,1\n"));
  EXPECT_FALSE(plotOf("Grid", {none}, "goodput_bps").series.at(0).values.at(0));
}

TEST(LabTable, HasNoFiguresWhereEveryRunWasLate) {
  const LabCell late = cellOf({}, {lateFigures(10e6), lateFigures(11e6)});
  EXPECT_TRUE(isWithoutFigures({late, late}));
  EXPECT_FALSE(isWithoutFigures({late, cellOf({}, {figures(10e6)})}));
  // Nothing ran: for another reason.
  EXPECT_FALSE(isWithoutFigures({cellOf({}, {})}));
}

TEST(LabTable, ASingleRunHasNoInterval) {
  const std::string csv = toCsv({cellOf({}, {figures(40e6)})});
  EXPECT_THAT(csv, HasSubstr("goodput_bps,1,40000000,,,,40000000,0\n"));
}

TEST(LabTable, ThePlotsAxisIsTheOneWithMostValues) {
  std::vector<LabCell> cells;
  for (const char* tuning : {"small", "large"}) {
    for (const char* delay : {"1 ms", "10 ms", "100 ms"}) {
      cells.push_back(cellOf({{"tuning", tuning}, {"path.delay", delay}}, {figures(10e6)}));
    }
  }
  const SvgPlot plot = plotOf("Grid", cells, "goodput_bps");
  EXPECT_EQ(plot.xLabel, "path.delay");
  EXPECT_THAT(plot.categories, ElementsAre("1 ms", "10 ms", "100 ms"));
  ASSERT_EQ(plot.series.size(), 2U);
  EXPECT_EQ(plot.series[1].label, "large");
  ASSERT_EQ(plot.series[1].values.size(), 3U);
  EXPECT_TRUE(plot.series[1].values[2]);
}

}  // namespace
}  // namespace tcpscope::lab
