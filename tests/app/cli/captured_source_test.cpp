// Commands that look at connections, over a capture in place of this host.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/app/cli/exit_codes.h"
#include "tests/support/built_paths.h"
#include "tests/support/program.h"

namespace tcpscope {
namespace {

using test::Outcome;

Outcome over(const std::string& capture, std::vector<std::string> words) {
  words.insert(words.begin() + 1, {"--from", test::testData() / "captures" / capture});
  return test::runCommandLine(words);
}

constexpr const char* kLossy = "composite-retransmissions.pcap";

TEST(CapturedSource, IsListedWithWhatPacketsShow) {
  const Outcome outcome = over(kLossy, {"list"});
  EXPECT_EQ(outcome.code, 0);
  for (const char* words : {"STATE", "VERDICT", "80", "187 ms", "189 KiB"}) {
    EXPECT_NE(outcome.out.find(words), std::string::npos) << words << "\n" << outcome.out;
  }
}

TEST(CapturedSource, HasNoFiguresOfAKernelInItsDocument) {
  const Outcome outcome = over(kLossy, {"list", "--json"});
  ASSERT_EQ(outcome.code, 0);
  const auto document = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(document["schema"], "tcpscope.connections");
  ASSERT_EQ(document["connections"].size(), 1U);
  EXPECT_TRUE(document["connections"][0]["metrics"].empty()) << "an unknown queue is not empty";
  EXPECT_TRUE(document["connections"][0].contains("verdict"));
}

TEST(CapturedSource, IsWatchedAsItIsListed) {
  for (const std::vector<std::string>& form : {std::vector<std::string>{}, {"--json"}, {"--json-stream"}}) {
    std::vector<std::string> list = {"list"};
    std::vector<std::string> watch = {"watch"};
    list.insert(list.end(), form.begin(), form.end());
    watch.insert(watch.end(), form.begin(), form.end());
    const Outcome watched = over(kLossy, watch);
    EXPECT_EQ(watched.code, 0) << watched.error;
    EXPECT_FALSE(watched.out.empty());
    EXPECT_EQ(watched.out, over(kLossy, list).out);
  }
}

TEST(CapturedSource, HasNoSamplesForTriggersAndEnds) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"watch", "--ended"}, {"watch", "--trigger", "rtt > 1ms"}, {"problems"}}) {
    const Outcome outcome = over(kLossy, words);
    EXPECT_EQ(outcome.code, test::kBadInput);
    EXPECT_NE(outcome.error.find("use 'tcpscope-cli analyze"), std::string::npos) << outcome.error;
  }
}

TEST(CapturedSource, IsDiagnosedAsAnalyzeDoes) {
  const std::string verdict = "verdict ";
  const auto verdictIn = [&](const Outcome& outcome) {
    const std::size_t at = outcome.out.find(verdict);
    return at == std::string::npos ? "none" : outcome.out.substr(at, outcome.out.find('\n', at) - at);
  };
  const std::string upload = "../../golden/bursty-loss-receiver-capture/capture.pcapng.zst";
  const Outcome diagnosed = over(upload, {"diagnose"});
  const Outcome analyzed = test::runCommandLine({"analyze", "--details", test::testData() / "captures" / upload});
  EXPECT_EQ(diagnosed.code, 0);
  EXPECT_NE(verdictIn(diagnosed), "none");
  EXPECT_NE(analyzed.out.find(verdictIn(diagnosed)), std::string::npos) << diagnosed.out << analyzed.out;
}

TEST(CapturedSource, IsAdvisedOnWithoutACommandToRunHere) {
  const Outcome outcome = over(kLossy, {"advise"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.out.find("advice"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("apply "), std::string::npos) << outcome.out;
}

TEST(CapturedSource, HidesAddressesWhereAskedTo) {
  const Outcome shown = over("accecn-handshake.pcap", {"list"});
  const Outcome hidden = over("accecn-handshake.pcap", {"list", "--anonymize"});
  EXPECT_NE(shown.out.find("66.228.43.12"), std::string::npos) << shown.out;
  EXPECT_EQ(hidden.code, 0);
  EXPECT_EQ(hidden.out.find("66.228.43.12"), std::string::npos) << hidden.out;
}

TEST(CapturedSource, ExitsWithOneWhereNothingMatchesTheFilter) {
  for (const char* command : {"list", "diagnose", "advise"}) {
    EXPECT_EQ(over(kLossy, {command, "--", "dport = :1"}).code, 1) << command;
  }
}

}  // namespace
}  // namespace tcpscope
