// `watch --trigger` over a recording, in which the same happens each time; its own recordings of this machine.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/present/json/event_document.h"
#include "tests/support/built_paths.h"
#include "tests/support/json_schema.h"
#include "tests/support/loopback_connection.h"
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

/// A folder for recordings, and a connection that a trigger finds.
class RecordingTriggerTest : public testing::Test {
protected:
  RecordingTriggerTest() : m_connection(m_listener.connect()) {
    std::string folder = (std::filesystem::temp_directory_path() / "triggered-XXXXXX").string();
    m_folder = mkdtemp(folder.data());
  }
  ~RecordingTriggerTest() override { std::filesystem::remove_all(m_folder); }

  [[nodiscard]] std::string file() const { return m_folder / "night.tcpscope"; }
  [[nodiscard]] std::string ofThisConnection() const { return "dport = :" + std::to_string(m_listener.port()); }
  [[nodiscard]] test::Outcome watch(const std::string& condition) const {
    return test::runCommandLine({"watch", "--trigger", condition, "--record", file(), "--json-stream", "--no-resolve",
                                 "--interval", "0.1", "--count", "3"});
  }
  [[nodiscard]] bool isFolderEmpty() const { return std::filesystem::is_empty(m_folder); }

private:
  test::LoopbackListener m_listener;
  std::pair<test::Descriptor, test::Descriptor> m_connection;
  std::filesystem::path m_folder;
};

TEST_F(RecordingTriggerTest, LeavesARecordingOfTheEvent) {
  const auto outcome = watch(ofThisConnection());
  ASSERT_EQ(outcome.code, 0) << outcome.error;
  const std::string line = outcome.out.substr(0, outcome.out.find('\n'));
  EXPECT_TRUE(test::conformsTo(eventSchema(), line)) << line;
  EXPECT_EQ(nlohmann::json::parse(line).at("recording"), file());
  const auto list = test::runCommandLine({"list", "--from", file(), "--json", "--", ofThisConnection()});
  ASSERT_EQ(list.code, 0) << list.error;
  EXPECT_EQ(nlohmann::json::parse(list.out).at("connections").size(), 1U);
}

TEST_F(RecordingTriggerTest, LeavesNothingWhereNothingHappened) {
  const auto outcome = watch("dport = :1");
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_TRUE(isFolderEmpty());
}

TEST_F(RecordingTriggerTest, ReplacesNoFile) {
  std::ofstream(file()) << "of last night";
  const auto outcome = watch("dport = :1");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.error.find(file()), std::string::npos) << outcome.error;
  std::ifstream kept(file());
  std::string content;
  std::getline(kept, content);
  EXPECT_EQ(content, "of last night");
}

TEST_F(RecordingTriggerTest, SaysWhereNoFileCanBe) {
  const auto outcome =
      test::runCommandLine({"watch", "--trigger", "rtt > 1s", "--record", "/nowhere/night.tcpscope", "--count", "1"});
  EXPECT_NE(outcome.code, 0);
  EXPECT_NE(outcome.error.find("/nowhere/night.tcpscope"), std::string::npos) << outcome.error;
}

TEST_F(RecordingTriggerTest, TakesOneNamespace) {
  const auto outcome =
      test::runCommandLine({"watch", "--trigger", "rtt > 1s", "--record", file(), "--netns", "all", "--count", "1"});
  EXPECT_EQ(outcome.code, 2);
}

}  // namespace
}  // namespace tcpscope
