// Findings of captures never contradict their own figures: counts, shares and times of every direction agree.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/built_paths.h"
#include "tests/support/program.h"

namespace tcpscope {
namespace {

using namespace test;
using nlohmann::json;

std::vector<std::filesystem::path> capturesBelow(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> found;
  if (!std::filesystem::is_directory(folder)) return found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string extension = entry.path().extension().string();
    const bool isPacked = extension == ".zst" && entry.path().stem().extension() == ".pcapng";
    if (extension == ".pcap" || extension == ".pcapng" || isPacked) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// Beside the source tree, where further public captures may lie.
std::filesystem::path sharedCaptures() {
  return testData().parent_path().parent_path().parent_path() / "shared" / "captures";
}

std::optional<double> figure(const json& finding, const std::string& key) {
  for (const json& evidence : finding.at("evidence")) {
    if (evidence.at("metric") == key) return evidence.at("value").get<double>();
  }
  return std::nullopt;
}

bool isCount(const std::string& key) {
  return key.ends_with("_segments") || key == "timeouts" || key == "reord_seen";
}

void expectEvidenceAgrees(const json& evidence) {
  const std::string key = evidence.at("metric");
  const double value = evidence.at("value").get<double>();
  if (isCount(key)) {
    EXPECT_GE(value, 1.0) << key << ": a finding without an occurrence";
  }
  if (key.ends_with("_ratio")) {
    EXPECT_GT(value, 0.0) << key;
    EXPECT_LE(value, 1.0) << key;
  }
  const bool isPart = key == "retransmitted_segments" || key == "dsack_dups_segments";
  if (isPart && evidence.contains("compared_with")) {
    EXPECT_LE(value, evidence.at("compared_with").get<double>()) << key << ": a part of fewer than itself";
  }
}

void expectTimeoutsAgree(const json& finding, const json& direction) {
  // No stack's retransmission timer is shorter.
  constexpr double kShortestTimeoutSeconds = 0.01;
  const double share = figure(finding, "timeout_ratio").value();
  const double waited = share * direction.at("limits").at("window_s").get<double>();
  EXPECT_NEAR(share, direction.at("limits").at("timeout_ratio").get<double>(), 1e-9);
  EXPECT_GE(waited * 1.000001, figure(finding, "timeouts").value() * kShortestTimeoutSeconds);
}

void expectLossAgrees(const json& finding) {
  for (const json& evidence : finding.at("evidence")) {
    if (evidence.at("metric") != "retransmitted_segments") continue;
    const double all = evidence.at("compared_with").get<double>();
    EXPECT_NEAR(figure(finding, "retransmitted_ratio").value(), evidence.at("value").get<double>() / all, 1e-9);
  }
}

void expectFindingsAgree(const json& direction) {
  for (const json& finding : direction.at("findings")) {
    const std::string rule = finding.at("rule");
    SCOPED_TRACE(finding.at("text").get<std::string>());
    for (const json& evidence : finding.at("evidence")) {
      if (rule != "options_missing") expectEvidenceAgrees(evidence);
    }
    if (rule == "timeouts") expectTimeoutsAgree(finding, direction);
    if (rule == "network_loss") expectLossAgrees(finding);
  }
}

void expectSharesAddUp(const json& limits) {
  double sum = 0.0;
  for (const auto& [key, value] : limits.items()) {
    if (key.ends_with("_ratio")) sum += value.get<double>();
  }
  if (limits.at("window_s").get<double>() > 0.0) {
    EXPECT_NEAR(sum, 1.0, 1e-6);
  }
}

class FindingsOfCapture : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(FindingsOfCapture, AgreeWithTheirFigures) {
  const Outcome outcome = runProgram(commandLineProgram(), {"analyze", "--json", GetParam().string()});
  // Captures with other packets only are among the public ones.
  if (outcome.out.empty() && outcome.code != 0) return;
  const json document = json::parse(outcome.out);
  for (const json& connection : document.at("connections")) {
    SCOPED_TRACE(connection.at("local").get<std::string>());
    for (const json& direction : connection.at("directions")) {
      expectFindingsAgree(direction);
      expectSharesAddUp(direction.at("limits"));
    }
  }
}

std::vector<std::filesystem::path> allCaptures() {
  std::vector<std::filesystem::path> all = capturesBelow(testData());
  for (const auto& folder : {testData().parent_path() / "golden", sharedCaptures()}) {
    for (const std::filesystem::path& path : capturesBelow(folder)) all.push_back(path);
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Every, FindingsOfCapture, testing::ValuesIn(allCaptures()), [](const auto& each) {
  std::string name = std::to_string(each.index) + "_" + each.param.parent_path().filename().string() + "_" +
                     each.param.stem().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char letter) { return std::isalnum(letter) == 0; }, '_');
  return name;
});

}  // namespace
}  // namespace tcpscope
