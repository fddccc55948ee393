// `watch --trigger` over a recording, in which the same happens each time.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/present/json/event_document.h"
#include "tests/support/built_paths.h"
#include "tests/support/json_schema.h"
#include "tests/support/program.h"

namespace tcpscope {
namespace {

/// A sender whose peer reads slowly.
test::Outcome watchRecording(const std::vector<std::string>& options) {
  const auto folder = test::testData().parent_path() / "golden/slow-reader-sender-recording";
  std::vector<std::string> words = {"watch", "--from", (folder / "recording.tcpscope").string()};
  words.insert(words.end(), options.begin(), options.end());
  return test::runCommandLine(words);
}

TEST(TriggerCommand, PrintsTheConnectionThatBeginsToSatisfyTheCondition) {
  const auto outcome = watchRecording({"--trigger", "limit = receiver"});
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_NE(outcome.out.find("10.77.0.1:20000 -> 10.77.0.2:5001"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("Receive window (slow reader)"), std::string::npos) << outcome.out;
}

TEST(TriggerCommand, PrintsNoOtherConnection) {
  EXPECT_EQ(watchRecording({"--trigger", "rtt > 10s"}).out.find("10.77.0.1"), std::string::npos);
  const auto elsewhere = watchRecording({"--trigger", "limit = receiver", "--", "dport = :443"});
  EXPECT_EQ(elsewhere.code, 0) << elsewhere.error;
  EXPECT_EQ(elsewhere.out.find("10.77.0.1"), std::string::npos) << "which the filter leaves out";
}

TEST(TriggerCommand, PrintsALineOfJsonEach) {
  const auto outcome = watchRecording({"--trigger", "limit = receiver", "--json-stream"});
  ASSERT_EQ(outcome.code, 0) << outcome.error;
  const std::string line = outcome.out.substr(0, outcome.out.find('\n'));
  EXPECT_TRUE(test::conformsTo(eventSchema(), line)) << line;
  EXPECT_EQ(nlohmann::json::parse(line).at("event"), "triggered");
}

TEST(TriggerCommand, NamesTheErrorOfACondition) {
  const auto outcome = watchRecording({"--trigger", "rtt > soon"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.error.find("(\"soon\"): not a value"), std::string::npos) << outcome.error;
}

}  // namespace
}  // namespace tcpscope
