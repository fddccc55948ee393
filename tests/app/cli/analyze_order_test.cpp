// `analyze` with many connections: which of them it shows, in which order, and how.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/base/units.h"
#include "tests/support/built_paths.h"
#include "tests/support/capture_bytes.h"
#include "tests/support/json_schema.h"
#include "tests/support/program.h"

namespace tcpscope {
namespace {

using namespace test;
using nlohmann::json;

constexpr std::uint16_t kFirstPort = 1000;
constexpr int kConnections = 12;
/// It sends its last segment twice.
constexpr int kRepeating = 4;

/// Connections that begin one after the other, 10 ms apart; the one of port 1000 + n sends n + 1 segments at once.
Octets manyConnections() {
  std::vector<RecordedFrame> frames;
  for (int connection = 0; connection < kConnections; ++connection) {
    SegmentText segment;
    segment.source.port = static_cast<std::uint16_t>(kFirstPort + connection);
    segment.payloadBytes = 100;
    segment.sequence = 1;
    const auto send = [&](int milliseconds) {
      frames.push_back({WallTime::fromNanoseconds(1'700'000'000'000'000'000) + Milliseconds(milliseconds),
                        ethernetFrame(ipPacket(segment))});
    };
    for (int sent = 0; sent <= connection; ++sent) {
      segment.sequence = 1 + 100 * static_cast<std::uint32_t>(sent);
      send(10 * connection);
    }
    if (connection == kRepeating) send(10 * connection + 500);
  }
  std::stable_sort(frames.begin(), frames.end(), [](const auto& a, const auto& b) { return a.time < b.time; });
  return pcapFile(frames);
}

class AnalyzeOrder : public testing::Test {
protected:
  Outcome analyze(std::vector<std::string> words) {
    words.insert(words.begin(), {"analyze", m_file.path()});
    return runProgram(commandLineProgram(), std::move(words));
  }

  /// Of the connections in JSON, 0 for the one of the first port.
  std::vector<int> shown(std::vector<std::string> words) {
    words.emplace_back("--json");
    std::vector<int> numbers;
    const json document = json::parse(analyze(std::move(words)).out);
    for (const json& connection : document.at("connections")) {
      const auto local = connection.at("local").get<std::string>();
      numbers.push_back(std::stoi(local.substr(local.rfind(':') + 1)) - kFirstPort);
    }
    return numbers;
  }

private:
  static std::string textOfCapture() {
    std::string text;
    for (const std::byte octet : manyConnections()) text.push_back(static_cast<char>(octet));
    return text;
  }

  TemporaryFile m_file{textOfCapture()};
};

TEST_F(AnalyzeOrder, ShowsTheFirstOfAnOrder) {
  EXPECT_EQ(shown({"--top", "3", "--by", "data"}), (std::vector{11, 10, 9}));
  EXPECT_EQ(shown({"--top", "2", "--by", "start"}), (std::vector{0, 1}));
  EXPECT_EQ(shown({"--top", "2", "--by", "duration"}), (std::vector{kRepeating, 0}));
  EXPECT_EQ(shown({"--top", "1", "--by", "retransmissions"}), std::vector{kRepeating});
}

TEST_F(AnalyzeOrder, IsThatOfTheCaptureInJsonUnlessAskedFor) {
  EXPECT_EQ(shown({}), (std::vector{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
  EXPECT_EQ(shown({"--by", "data"}).front(), 11);
  EXPECT_EQ(shown({"--top", "100"}).size(), 12U) << "more than there are";
}

TEST_F(AnalyzeOrder, IsTheWorstFirstInTheTable) {
  const std::string text = analyze({}).out;
  EXPECT_NE(text.find("12 connections, worst first"), std::string::npos) << text;
  const std::string top = analyze({"--top", "11", "--by", "data"}).out;
  EXPECT_NE(top.find("11 of 12 connections, most data first"), std::string::npos) << top;
  EXPECT_LT(top.find(":1011 "), top.find(":1001 "));
  EXPECT_EQ(top.find(":1000 "), std::string::npos) << "it sent least";
}

TEST_F(AnalyzeOrder, ShowsConnectionsWholeWhereAsked) {
  const auto wholeOnes = [](const std::string& text) {
    std::istringstream lines(text);
    std::string line;
    std::size_t count = 0;
    while (std::getline(lines, line)) count += line.rfind("  handshake", 0) == 0 ? 1U : 0U;
    return count;
  };
  EXPECT_EQ(wholeOnes(analyze({}).out), 0U);
  EXPECT_EQ(wholeOnes(analyze({"--details"}).out), 12U);
  EXPECT_EQ(wholeOnes(analyze({"--top", "2"}).out), 2U) << "few are always whole";
}

TEST_F(AnalyzeOrder, HasOneObjectALineWhereAsked) {
  std::istringstream lines(analyze({"--json-lines", "--top", "2", "--by", "data"}).out);
  const json document = json::parse(analyze({"--json", "--top", "2", "--by", "data"}).out);
  std::string line;
  std::vector<json> objects;
  while (std::getline(lines, line)) objects.push_back(json::parse(line));
  ASSERT_EQ(objects.size(), 4U);
  EXPECT_EQ(objects[0].at("schema"), "tcpscope.capture");
  EXPECT_EQ(objects[0].at("files"), document.at("files"));
  EXPECT_EQ(objects[0].at("gaps"), document.at("gaps"));
  EXPECT_EQ(objects[1], document.at("connections")[0]);
  EXPECT_EQ(objects[2], document.at("connections")[1]);
  EXPECT_EQ(objects[3].at("destinations"), document.at("destinations"));
}

TEST_F(AnalyzeOrder, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(analyze({"--top", "0"}).code, 2);
  EXPECT_EQ(analyze({"--by", "luck"}).code, 2);
  EXPECT_EQ(analyze({"--json", "--json-lines"}).code, 2);
  EXPECT_EQ(analyze({"--json", "--details"}).code, 2);
}

TEST(AnalyzeOrderOfRecordings, IsRefused) {
  const Outcome outcome =
      runProgram(commandLineProgram(), {"analyze", "--top", "3", testData() / "recordings" / "version1.tcpscope"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.error.find("for captures"), std::string::npos) << outcome.error;
}

}  // namespace
}  // namespace tcpscope
