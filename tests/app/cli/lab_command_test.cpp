// `tcpscope-cli lab` as a user or a script meets it: real hosts, real transfers over the emulated path.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "core/present/json/lab_document.h"
#include "tests/app/cli/exit_codes.h"
#include "tests/support/built_paths.h"
#include "tests/support/json_schema.h"
#include "tests/support/program.h"
#include "tests/support/stolen_time.h"

namespace tcpscope {
namespace {

using nlohmann::json;
using test::conformsTo;
using test::Outcome;
using test::TemporaryFile;
using testing::HasSubstr;

Outcome lab(const std::vector<std::string>& words) {
  std::vector<std::string> all(words.size() + 1, "lab");
  std::copy(words.begin(), words.end(), all.begin() + 1);
  return test::runProgram(test::commandLineProgram(), std::move(all));
}

Outcome diagnoseRecording(const std::string& file) {
  return test::runProgram(test::commandLineProgram(), {"diagnose", "--json", "--from", file, "--", "dport = :5001"});
}

std::string contentOf(const std::string& path) {
  std::ostringstream content;
  content << std::ifstream(path).rdbuf();
  return content.str();
}

/// The machine gives no namespaces or no devices; the sentence says what to do.
bool hasNoLab(const Outcome& outcome) {
  return outcome.code == test::kMissingRight || outcome.code == test::kSystemFailed;
}

/// The program says itself when the path was later than it was asked to be.
bool isDisturbed(const Outcome& outcome) {
  return outcome.out.find("the machine was too slow") != std::string::npos;
}

/// A run that did what is wanted of it, or the last of three: what a busy machine does to packets, both ends see, too.
Outcome labInTime(const std::vector<std::string>& words, int wantedCode) {
  Outcome outcome = lab(words);
  for (int runs = 1; runs < 3 && outcome.code != wantedCode && isDisturbed(outcome); ++runs) outcome = lab(words);
  return outcome;
}

TEST(LabCommand, ListsTheScenariosWithTheirTruth) {
  const Outcome outcome = lab({"list"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("web100_mistuned"));
  EXPECT_THAT(outcome.out, HasSubstr("receiver/buffer_locked"));
}

TEST(LabCommand, ListsThemAsADocument) {
  const Outcome outcome = lab({"list", "--json"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(conformsTo(lab::labSchema(), outcome.out));
  EXPECT_EQ(json::parse(outcome.out).at("scenarios").at(0).at("name"), "healthy");
}

TEST(LabCommand, RunsAScenarioAndSaysThatBothEndsAgree) {
  const Outcome outcome = labInTime({"run", "locked_receive_buffer", "--for", "3", "--json"}, 0);
  if (hasNoLab(outcome)) GTEST_SKIP() << outcome.error;
  if (outcome.code != 0 && isDisturbed(outcome)) GTEST_SKIP() << outcome.out;
  EXPECT_TRUE(conformsTo(lab::labSchema(), outcome.out));
  const json document = json::parse(outcome.out);
  EXPECT_EQ(document.at("agrees"), true) << document.at("judgements").dump(1);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(document.at("places").size(), 2U);
  EXPECT_EQ(document.at("connections").size(), 2U);
  EXPECT_GT(document.at("result").at("goodput_bps"), 5e6);
  EXPECT_EQ(document.at("path").at("delay_us"), 20'000);
}

TEST(LabCommand, AVerdictThatDisagreesIsExitCodeOne) {
  // The truth of the locked buffer does not hold once nothing is locked.
  const Outcome outcome =
      lab({"run", "locked_receive_buffer", "--for", "3", "--set", "traffic.main.receive_buffer=none"});
  if (hasNoLab(outcome)) GTEST_SKIP() << outcome.error;
  EXPECT_EQ(outcome.code, test::kNotThere);
  EXPECT_THAT(outcome.out, HasSubstr("DISAGREES"));
}

TEST(LabCommand, QuotesNoFigureWhereAFlowDidNotRun) {
  const Outcome outcome = lab({"run", "reno_against_reno_100mbit", "--for", "1", "--set", "window_two=64k", "--set",
                               "traffic.flow_two.congestion_control=unheard_of"});
  if (hasNoLab(outcome)) GTEST_SKIP() << outcome.error;
  EXPECT_EQ(outcome.code, 1) << outcome.out;
  EXPECT_NE(outcome.out.find("flow_two did not run"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("fairness 1.000"), std::string::npos) << outcome.out;
}

/// Runs behind the goodput of this setting, and those that were left out.
int runsInTable(const std::string& csv, const std::string& setting) {
  const std::regex row("\n" + setting + ",goodput_bps,(\\d+),.*,(\\d+)\n");
  std::smatch found;
  return std::regex_search(csv, found, row) ? std::stoi(found[1]) + std::stoi(found[2]) : 0;
}

TEST(LabCommand, RunsAGridAndWritesTableAndPlot) {
  const TemporaryFile folder("");
  const std::string csv = folder.path() + ".csv";
  const std::string svg = folder.path() + ".svg";
  const Outcome outcome = lab({"run", "pacing_limit", "--for", "1", "--set", "warm_up=1s", "--set",
                               "traffic.main.pacing_rate=5Mbit/s,10Mbit/s", "--repeat", "2", "-o", csv, "-o", svg});
  if (hasNoLab(outcome)) GTEST_SKIP() << outcome.error;
  EXPECT_THAT(outcome.code, testing::AnyOf(0, test::kNotThere)) << outcome.error;
  const std::string text = contentOf(csv);
  // Those of a slow machine are left out, and counted.
  EXPECT_EQ(runsInTable(text, "5Mbit/s"), 2) << text;
  EXPECT_EQ(runsInTable(text, "10Mbit/s"), 2) << text;
  EXPECT_THAT(contentOf(svg), HasSubstr("</svg>"));
  std::remove(csv.c_str());
  std::remove(svg.c_str());
}

/// Records both hosts of a scenario and says what the sender's recording shows: the diagnosis as a document.
Outcome diagnosisOfRecordedSender() {
  const TemporaryFile folder("");
  // The command makes it.
  std::filesystem::remove(folder.path());
  Outcome outcome = lab({"record", "web100_mistuned", "--for", "4", "-o", folder.path()});
  if (outcome.code == 0) {
    EXPECT_THAT(outcome.out, HasSubstr("web100_mistuned-client.tcpscope"));
    outcome = diagnoseRecording(folder.path() + "/web100_mistuned-server.tcpscope");
  }
  std::filesystem::remove_all(folder.path());
  return outcome;
}

std::string limitIn(const Outcome& diagnosis) {
  if (diagnosis.code != 0) return "";
  return json::parse(diagnosis.out).at("connections").at(0).at("verdict").at("limit");
}

TEST(LabCommand, RecordsEachHostForTheProgramToPlay) {
  constexpr double kStarved = 0.05;
  constexpr int kMostRuns = 3;
  for (int run = 1;; ++run) {
    const test::StolenTime stolen;
    const Outcome seen = diagnosisOfRecordedSender();
    if (hasNoLab(seen)) GTEST_SKIP() << seen.error;
    // A starved path is another one than that of the scenario.
    if (limitIn(seen) != "receiver" && stolen.ratio() > kStarved) {
      if (run < kMostRuns) continue;
      GTEST_SKIP() << "the hypervisor took " << stolen.ratio() * 100 << " % of the processors";
    }
    ASSERT_EQ(seen.code, 0) << seen.error;
    EXPECT_TRUE(json::parse(seen.out).at("gaps").empty()) << json::parse(seen.out).at("gaps").dump();
    EXPECT_EQ(limitIn(seen), "receiver");
    return;
  }
}

TEST(LabCommand, SaysWhereARecordingCannotBeWritten) {
  const Outcome outcome = lab({"record", "healthy", "-o", "/dev/null/recordings"});
  if (outcome.code == test::kMissingRight) GTEST_SKIP() << outcome.error;
  EXPECT_EQ(outcome.code, test::kSystemFailed);
  EXPECT_THAT(outcome.error, HasSubstr("/dev/null/recordings"));
}

TEST(LabCommand, ReportsAnErrorInAFileWithItsLine) {
  const TemporaryFile file("name = mine\ntitle = Mine\n[path]\nrate = fast\n");
  const Outcome outcome = lab({"run", file.path()});
  EXPECT_EQ(outcome.code, test::kBadInput);
  EXPECT_THAT(outcome.error, HasSubstr("line 4"));
  EXPECT_THAT(outcome.error, HasSubstr("100 Mbit/s"));
}

TEST(LabCommand, ReportsAMissingScenario) {
  const Outcome outcome = lab({"run", "unheard_of"});
  EXPECT_EQ(outcome.code, test::kNotThere);
  EXPECT_THAT(outcome.error, HasSubstr("lab list"));
}

TEST(LabCommand, ReportsAnInvalidSetting) {
  EXPECT_EQ(lab({"run", "healthy", "--set", "path.delay"}).code, test::kWrongUsage);
  const Outcome outcome = lab({"run", "healthy", "--set", "path.dely=3ms"});
  EXPECT_EQ(outcome.code, test::kWrongUsage);
  EXPECT_THAT(outcome.error, HasSubstr("rate, delay"));
  EXPECT_EQ(lab({"run", "healthy", "-o", "plot.gif"}).code, test::kWrongUsage);
}

}  // namespace
}  // namespace tcpscope
