#include "core/present/text/probe_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/present/json/probe_document.h"
#include "tests/core/wire/probe/drawn_probe.h"
#include "tests/support/json_schema.h"

namespace tcpscope {
namespace {

using testing::HasSubstr;

const UntrustedText kHost("192.0.2.7:40123");

TEST(ProbeText, SaysWhetherLossesComeInBursts) {
  EXPECT_THAT(sentence(analyzeProbe(probeLostInBursts(1))),
              testing::MatchesRegex("Losses come in bursts: [0-9.]+ % of them are within one RTT of the previous one; "
                                    "of a Poisson process with the same rate [0-9.]+ % would be\\."));
  EXPECT_THAT(sentence(analyzeProbe(probeLostByChance(0.005, 0.005, 1))),
              HasSubstr("Losses are independent of each other: "));
}

TEST(ProbeText, SaysWhyAMeasurementDoesNotCount) {
  EXPECT_EQ(sentence(analyzeProbe(probeLostByChance(0.002, 0.01, 1))),
            "The measurement does not count: packets of one size were lost more often than those of the other, by "
            "their size or "
            "because the path changed meanwhile.");
}

TEST(ProbeText, HasAReasonForEachFault) {
  for (const ProbeFault fault : kProbeFaults) EXPECT_FALSE(reason(fault).empty()) << name(fault);
}

TEST(ProbeText, HasASentenceForEachVerdict) {
  ProbeAnalysis analysis = analyzeProbe(probeLostInBursts(1));
  for (const ProbeVerdict verdict : kProbeVerdicts) {
    analysis.verdict = verdict;
    EXPECT_THAT(sentence(analysis), testing::EndsWith(".")) << name(verdict);
  }
}

TEST(ProbeText, SaysWhatIsSent) {
  EXPECT_EQ(planText(drawnPlan()),
            "two runs of 2 min 30 s, a packet of 48 or 400 bytes each 3.20 ms: 120 kbit/s, then 1.00 Mbit/s");
}

TEST(ProbeText, SaysWhatToDoWhereNoListenerIsReached) {
  const std::string text = sentence(ProbeError{ProbeError::Kind::unreachable, ECONNREFUSED}, UntrustedText("\x1b[2Jx"));
  EXPECT_THAT(text, HasSubstr("run 'tcpscope-cli probe --listen' there"));
  EXPECT_THAT(text, HasSubstr("Connection refused"));
  EXPECT_THAT(text, testing::Not(HasSubstr("\x1b")));
}

TEST(ProbeDocument, ConformsToItsSchema) {
  auto withoutRtt = probeLostInBursts(2);
  for (ProbeRun& run : withoutRtt) run.sent.rtts.clear();
  const auto plan = drawnPlan();
  const std::vector<std::array<ProbeRun, 2>> all = {probeLostInBursts(1),
                                                    probeLostByChance(0.005, 0.005, 1),
                                                    probeLostByChance(0.002, 0.01, 1),
                                                    withoutRtt,
                                                    {drawnRun(plan[0], {}), drawnRun(plan[1], {})},
                                                    {ProbeRun{plan[0], {}, {}}, ProbeRun{plan[1], {}, {}}}};
  for (const auto& runs : all) {
    const ProbeAnalysis analysis = analyzeProbe(runs);
    EXPECT_TRUE(test::conformsTo(probeSchema(), toJson(analysis, kHost, WallTime()))) << name(analysis.verdict);
  }
}

TEST(ProbeDocument, NamesEveryVerdictAndFaultOfTheSchema) {
  const auto schema = nlohmann::json::parse(probeSchema());
  std::vector<std::string> verdicts;
  for (const ProbeVerdict verdict : kProbeVerdicts) verdicts.emplace_back(name(verdict));
  EXPECT_EQ(schema.at("properties").at("verdict").at("enum").get<std::vector<std::string>>(), verdicts);
  std::vector<std::string> faults;
  for (const ProbeFault fault : kProbeFaults) faults.emplace_back(name(fault));
  EXPECT_EQ(schema.at("properties").at("faults").at("items").at("enum").get<std::vector<std::string>>(), faults);
}

TEST(ProbeDocument, HasTheFiguresInBaseUnits) {
  const auto document = nlohmann::json::parse(toJson(analyzeProbe(probeLostInBursts(1)), kHost, WallTime()));
  EXPECT_EQ(document.at("verdict"), "bursts");
  EXPECT_EQ(document.at("host"), "192.0.2.7:40123");
  EXPECT_DOUBLE_EQ(document.at("rtt_us").get<double>(), 100'000.0);
  EXPECT_EQ(document.at("runs").at(1).at("packet_bytes"), 400);
  EXPECT_EQ(document.at("runs").at(1).at("sent_packets"), 46'875);
}

}  // namespace
}  // namespace tcpscope
