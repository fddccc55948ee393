// `tune` as a user meets it: a program that holds its connection, and another that changes it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/changes/tune_record.h"
#include "core/present/json/tune_document.h"
#include "tests/support/built_paths.h"
#include "tests/support/json_schema.h"
#include "tests/support/own_state_folder.h"
#include "tests/support/program.h"
#include "tests/support/socket_owner.h"

namespace tcpscope {
namespace {

using nlohmann::json;

class TuneCommandTest : public ::testing::Test {
protected:
  void SetUp() override {
    if (run({ends(), "--show"}).code == 3) GTEST_SKIP() << "no right to reach into another process here";
  }

  static test::Outcome run(std::vector<std::string> words) {
    words.insert(words.begin(), "tune");
    return test::runProgram(test::commandLineProgram(), std::move(words));
  }
  [[nodiscard]] std::string ends() const {
    return "127.0.0.1:" + std::to_string(m_owner.localPort()) + "-127.0.0.1:" + std::to_string(m_owner.remotePort());
  }
  [[nodiscard]] std::string id() const { return m_owner.connection().id.toString(); }
  [[nodiscard]] std::string filter() const { return "dport = :" + std::to_string(m_owner.remotePort()); }
  static void expectRefusal(const std::vector<std::string>& words, int code) {
    const test::Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, code) << outcome.error;
    EXPECT_EQ(outcome.error.find('\n'), outcome.error.size() - 1) << outcome.error;
    EXPECT_TRUE(outcome.out.empty()) << outcome.out;
  }

  /// Moves the deadline in the record to the boot.
  void makeOverdue() const {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(m_state.path())) {
      if (!entry.is_regular_file() || std::filesystem::is_empty(entry.path())) continue;
      std::stringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      auto record = parseTuneRecord(text.str());
      ASSERT_TRUE(record && record->trial) << entry.path();
      record->trial->deadline = Nanoseconds(1);
      std::ofstream(entry.path()) << writeTuneRecord(*record);
    }
  }

  test::SocketOwner m_owner{65'536};
  test::OwnStateFolder m_state;
};

TEST_F(TuneCommandTest, FindsTheConnectionByItsIdItsEndsOrAFilter) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{id(), "--show"}, {ends(), "--show"}, {"--show", "--", filter()}}) {
    const test::Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_NE(outcome.out.find("SO_SNDBUF"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("the program"), std::string::npos) << outcome.out;
  }
}

TEST_F(TuneCommandTest, ChangesAndRestores) {
  const test::Outcome tuned = run({id(), "SO_SNDBUF=1MiB", "TCP_NODELAY=on", "--json"});
  ASSERT_EQ(tuned.code, 0) << tuned.error;
  EXPECT_TRUE(test::conformsTo(tuneSchema(), tuned.out));
  EXPECT_EQ(json::parse(tuned.out).at("changes").at(0).at("after_bytes"), 2 << 20);
  EXPECT_EQ(m_owner.sendBuffer(), 2 << 20);
  const test::Outcome undone = run({id(), "--undo"});
  EXPECT_EQ(undone.code, 0) << undone.error;
  EXPECT_EQ(m_owner.sendBuffer(), 131'072);
  expectRefusal({id(), "--undo"}, 1);
}

TEST_F(TuneCommandTest, SaysWithItsExitCodeThatSomethingWasLeftAlone) {
  ASSERT_EQ(run({id(), "SO_SNDBUF=1MiB"}).code, 0);
  m_owner.setOption(SOL_SOCKET, SO_SNDBUF, 100'000);
  const test::Outcome undone = run({id(), "--undo"});
  EXPECT_EQ(undone.code, 6);
  EXPECT_NE(undone.out.find("SO_SNDBUF was not changed"), std::string::npos) << undone.out;
  EXPECT_EQ(m_owner.sendBuffer(), 200'000);
}

TEST_F(TuneCommandTest, AChangeOnTrialStaysOnceItIsConfirmed) {
  const test::Outcome tuned = run({id(), "SO_SNDBUF=1MiB", "--revert-after", "300", "--json"});
  ASSERT_EQ(tuned.code, 0) << tuned.error;
  EXPECT_TRUE(test::conformsTo(tuneSchema(), tuned.out)) << tuned.out;
  EXPECT_GT(json::parse(tuned.out).at("reverts_in_s"), 0);
  EXPECT_EQ(m_owner.sendBuffer(), 2 << 20);
  EXPECT_NE(run({id(), "--show"}).out.find("On trial: reverted in "), std::string::npos);
  expectRefusal({id(), "TCP_NODELAY=on"}, 6);
  const test::Outcome confirmed = run({id(), "--confirm", "--json"});
  ASSERT_EQ(confirmed.code, 0) << confirmed.error;
  EXPECT_TRUE(test::conformsTo(tuneSchema(), confirmed.out)) << confirmed.out;
  EXPECT_EQ(json::parse(confirmed.out).at("action"), "confirm");
  EXPECT_FALSE(json::parse(confirmed.out).contains("reverts_in_s"));
  expectRefusal({id(), "--confirm"}, 1);
  EXPECT_EQ(m_owner.sendBuffer(), 2 << 20);
  ASSERT_EQ(run({id(), "--undo"}).code, 0);
  EXPECT_EQ(m_owner.sendBuffer(), 131'072);
}

TEST_F(TuneCommandTest, AnUnconfirmedChangeIsRevertedByTheProcessThatTheCommandLeftBehind) {
  ASSERT_EQ(run({id(), "SO_SNDBUF=1MiB", "--revert-after", "1"}).code, 0);
  // No other process checks.
  while (m_owner.sendBuffer() != 131'072) usleep(1000);
}

/// The record of a trial whose timer was killed, an hour overdue.
TEST_F(TuneCommandTest, ShowingAndListingRevertAnOverdueTrial) {
  for (const bool isList : {false, true}) {
    ASSERT_EQ(run({id(), "SO_SNDBUF=1MiB", "--revert-after", "300"}).code, 0);
    makeOverdue();
    ASSERT_EQ(m_owner.sendBuffer(), 2 << 20);
    const test::Outcome outcome =
        isList ? test::runProgram(test::commandLineProgram(), {"changes"}) : run({id(), "--show"});
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_EQ(m_owner.sendBuffer(), 131'072);
    expectRefusal({id(), "--confirm"}, 1);
    expectRefusal({id(), "--undo"}, 1);
  }
}

TEST_F(TuneCommandTest, RefusesInOneLine) {
  expectRefusal({id(), "--confirm", "TCP_NODELAY=on"}, 2);
  expectRefusal({id(), "--undo", "--confirm"}, 2);
  expectRefusal({id(), "--show", "--revert-after", "60"}, 2);
  expectRefusal({id(), "TCP_NODELAY=on", "--revert-after", "0"}, 2);
  expectRefusal({id(), "--confirm"}, 1);
  expectRefusal({id()}, 2);
  expectRefusal({"--show"}, 2);
  expectRefusal({"somewhere", "--show"}, 2);
  expectRefusal({id(), "SO_SNDBUF=much"}, 2);
  expectRefusal({id(), "--undo", "--measure", "5"}, 2);
  expectRefusal({id(), "SO_SNDBUF=1MiB", "--measure", "0"}, 2);
  expectRefusal({id(), "--show", "TCP_NODELAY=on"}, 2);
  expectRefusal({"--show", "--", filter() + " or sport = :" + std::to_string(m_owner.remotePort())}, 2);
  expectRefusal({id(), "SO_SNDBUF=1"}, 6);
  expectRefusal({id(), "TCP_MAXSEG=1000"}, 6);
  expectRefusal({id(), "TCP_CONGESTION=nonesuch"}, 6);
  expectRefusal({"0:ffffffffffff", "--show"}, 1);
  EXPECT_EQ(m_owner.sendBuffer(), 131'072);
}

TEST_F(TuneCommandTest, AnEndedProgramIsNotThere) {
  m_owner.end();
  const test::Outcome outcome = run({id(), "--show"});
  EXPECT_EQ(outcome.code, 1) << outcome.error;
}

}  // namespace
}  // namespace tcpscope
