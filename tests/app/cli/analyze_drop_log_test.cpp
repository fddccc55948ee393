// `analyze` of a router's list of drops.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/app/cli/exit_codes.h"
#include "tests/support/built_paths.h"
#include "tests/support/json_schema.h"
#include "tests/support/program.h"

namespace tcpscope {
namespace {

using namespace test;
using nlohmann::json;

/// Drops of a real transfer through a queue that is too short.
std::string shallowQueue() {
  return (testData() / "drops" / "shallow_queue.csv").string();
}

Outcome analyzeDrops(std::vector<std::string> words) {
  words.insert(words.begin(), "analyze");
  return runProgram(commandLineProgram(), std::move(words));
}

TEST(AnalyzeDropLog, ShowsHowClusteredTheDropsAre) {
  const Outcome outcome = analyzeDrops({shallowQueue(), "--rtt", "20ms"});
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_NE(outcome.out.find("loss events (drops within one RTT of 20.0 ms from the first): 13"), std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.out.find("within 0.01 RTT of the previous one: 80"), std::string::npos) << outcome.out;
}

TEST(AnalyzeDropLog, AsksForTheRttThatIntervalsNeed) {
  const Outcome outcome = analyzeDrops({shallowQueue()});
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_NE(outcome.out.find("add the path's RTT, such as --rtt 20ms"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("RTT of the previous"), std::string::npos) << outcome.out;
}

TEST(AnalyzeDropLog, PrintsADocument) {
  const Outcome outcome = analyzeDrops({shallowQueue(), "--rtt", "20ms", "--json"});
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  const json document = json::parse(outcome.out);
  EXPECT_EQ(document.at("schema"), "tcpscope.drops");
  EXPECT_EQ(document.at("rtt_us"), 20'000);
  EXPECT_EQ(document.at("links").at(0).at("loss_events"), 13);
}

TEST(AnalyzeDropLog, IsAlone) {
  EXPECT_EQ(analyzeDrops({shallowQueue(), shallowQueue()}).code, kWrongUsage);
  EXPECT_EQ(analyzeDrops({shallowQueue(), "--top", "3"}).code, kWrongUsage);
  EXPECT_EQ(analyzeDrops({shallowQueue(), "--", "dport = :443"}).code, kWrongUsage);
  const Outcome capture = analyzeDrops({(testData() / "captures" / "none.pcap").string(), "--rtt", "20ms"});
  EXPECT_EQ(capture.code, kWrongUsage);
  EXPECT_NE(capture.error.find("--rtt is for a list of drops"), std::string::npos) << capture.error;
}

}  // namespace
}  // namespace tcpscope
