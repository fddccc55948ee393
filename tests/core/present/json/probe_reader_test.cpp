// A measurement is the same behind its document, and what is none is refused.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/present/json/probe_document.h"
#include "core/present/text/probe_text.h"
#include "tests/core/wire/probe/drawn_probe.h"
#include "tests/support/json_schema.h"

namespace tcpscope {
namespace {

const UntrustedText kProbedHost("192.0.2.7:40123");

std::string probeDocumentOf(const ProbeAnalysis& analysis) {
  return toJson(analysis, kProbedHost, WallTime());
}

TEST(ProbeReader, ReadsWhatWasWritten) {
  for (const auto& runs :
       {probeLostInBursts(1), probeLostByChance(0.005, 0.005, 1), probeLostByChance(0.002, 0.01, 1)}) {
    const ProbeAnalysis analysis = analyzeProbe(runs);
    const auto read = parseProbe(probeDocumentOf(analysis));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->verdict, analysis.verdict);
    EXPECT_EQ(read->faults, analysis.faults);
    EXPECT_EQ(sentence(*read), sentence(analysis));
    EXPECT_EQ(read->rtt, analysis.rtt);
    EXPECT_EQ(read->intervalsRtt.size(), analysis.intervalsRtt.size());
    for (std::size_t run = 0; run < 2; ++run) {
      EXPECT_EQ(read->runs[run].plan, analysis.runs[run].plan);
      EXPECT_EQ(sentence(read->runs[run]), sentence(analysis.runs[run]));
    }
  }
}

TEST(ProbeReader, RefusesWhatIsNoMeasurement) {
  EXPECT_FALSE(parseProbe(""));
  EXPECT_FALSE(parseProbe("[]"));
  EXPECT_FALSE(parseProbe(R"({"schema":"tcpscope.probe"})"));
  EXPECT_FALSE(parseProbe(R"({"schema":"tcpscope.probe","verdict":"bursts","runs":[1,2]})"));
  EXPECT_FALSE(parseProbe(std::string(1'000'000, '[')));
  auto document = nlohmann::json::parse(probeDocumentOf(analyzeProbe(probeLostInBursts(1))));
  document["runs"][0]["lost_packets"] = 46'876;
  EXPECT_FALSE(parseProbe(document.dump())) << "more than were sent";
  document["runs"][0]["lost_packets"] = -1;
  EXPECT_FALSE(parseProbe(document.dump())) << "no number of packets";
  document["runs"][0].erase("lost_packets");
  EXPECT_FALSE(parseProbe(document.dump())) << "an unknown number is no 0";
}

TEST(ProbeReader, TakesWhatIsBeyondItsRangeAsUnknown) {
  auto document = nlohmann::json::parse(probeDocumentOf(analyzeProbe(probeLostInBursts(1))));
  document["rtt_us"] = -1;
  document["within_1_rtt_ratio"] = 1e308;
  document["loss_ratio"] = "much";
  document["faults"] = {"no_such_fault", 7};
  document["intervals_rtt"] = {1, -1, "x", nullptr, 2.5};
  const auto read = parseProbe(document.dump());
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->rtt);
  EXPECT_FALSE(read->withinRtt);
  EXPECT_FALSE(read->lossRatio);
  EXPECT_TRUE(read->faults.empty());
  EXPECT_EQ(read->intervalsRtt, (std::vector<double>{1, 2.5}));
}

TEST(ProbeMeshDocument, ConformsToItsSchema) {
  ProbeMesh mesh;
  mesh.hosts = {{"ssh://a", true}, {"b:1", false}};
  mesh.results.push_back({{std::nullopt, 0}, WallTime(), analyzeProbe(probeLostInBursts(1))});
  mesh.results.push_back({{std::nullopt, 1}, WallTime(), analyzeProbe(probeLostByChance(0.002, 0.01, 1))});
  mesh.results.push_back({{0, 1}, WallTime(), Unexpected<std::string>("no answer")});
  const std::string text = toJson(mesh, WallTime());
  EXPECT_TRUE(test::conformsTo(probeMeshSchema(), text));
  const auto document = nlohmann::json::parse(text);
  EXPECT_EQ(document.at("pairs").at(0).at("from"), "here");
  EXPECT_EQ(document.at("pairs").at(2).at("problem"), "no answer");
}

}  // namespace
}  // namespace tcpscope
