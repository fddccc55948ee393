// What every command understands, option by option, as the program reads it.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/support/built_paths.h"
#include "tests/support/loopback_connection.h"
#include "tests/support/program.h"

namespace tcpscope {
namespace {

using Words = std::vector<std::string>;

/// `words`, then a filter that lets the client's end of the test's own connection through.
class CommandOptionsTest : public ::testing::Test {
protected:
  test::Outcome runOnOwn(Words words) const {
    words.insert(words.end(), {"--", "dport = :" + std::to_string(m_listener.port())});
    return test::runCommandLine(std::move(words));
  }

  test::LoopbackListener m_listener;
  std::pair<test::Descriptor, test::Descriptor> m_connection = m_listener.connect();
};

TEST_F(CommandOptionsTest, ColourIsUsedWhereItIsForced) {
  // The receiver never reads: the connection is not idle, and its name is printed in bold.
  const std::string much(1 << 24, 'x');
  ASSERT_GT(send(m_connection.first.number(), much.data(), much.size(), MSG_DONTWAIT), 0);
  const test::Outcome outcome = runOnOwn({"diagnose", "--for", "0.5", "--no-resolve", "--color", "always"});
  EXPECT_NE(outcome.out.find('\x1b'), std::string::npos) << outcome.out;
}

TEST_F(CommandOptionsTest, WithoutATerminalThereIsNoColour) {
  for (const std::string color : {"auto", "never"}) {
    EXPECT_EQ(runOnOwn({"diagnose", "--for", "0.5", "--no-resolve", "--color", color}).out.find('\x1b'),
              std::string::npos);
  }
}

TEST_F(CommandOptionsTest, CountRepeatsTheListAtTheInterval) {
  const test::Outcome outcome =
      runOnOwn({"list", "--no-resolve", "--json-stream", "--count", "3", "--interval", "0.1"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 3);
}

TEST_F(CommandOptionsTest, WithoutResolvingThereIsNoColumnOfProcesses) {
  EXPECT_NE(runOnOwn({"list"}).out.find("PROCESS"), std::string::npos);
  EXPECT_EQ(runOnOwn({"list", "--no-resolve"}).out.find("PROCESS"), std::string::npos);
}

TEST_F(CommandOptionsTest, TheWordsOfAFilterMayBeOneOrMany) {
  const std::string port = ":" + std::to_string(m_listener.port());
  for (const Words& words :
       {Words{"list", "--json", "--", "dport = " + port}, Words{"list", "--json", "--", "dport", "=", port}}) {
    EXPECT_EQ(nlohmann::json::parse(test::runCommandLine(words).out).at("connections").size(), 1U);
  }
}

struct WrongUse {
  Words words;
  const char* named;

  friend void PrintTo(const WrongUse& use, std::ostream* out) {
    for (const std::string& word : use.words) *out << (&word == &use.words.front() ? "" : " ") << word;
  }
};
class WrongUsage : public ::testing::TestWithParam<WrongUse> {};

TEST_P(WrongUsage, IsRefusedInOneLineThatNamesIt) {
  const test::Outcome outcome = test::runCommandLine(GetParam().words);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(std::count(outcome.error.begin(), outcome.error.end(), '\n'), 1) << outcome.error;
  EXPECT_NE(outcome.error.find(GetParam().named), std::string::npos) << outcome.error;
}

INSTANTIATE_TEST_SUITE_P(
    Options, WrongUsage,
    ::testing::Values(
        WrongUse{{"list", "--interval", "soon"}, "--interval"}, WrongUse{{"list", "--interval", "0.01"}, "--interval"},
        WrongUse{{"watch", "--interval", "4000"}, "--interval"}, WrongUse{{"list", "--count", "0"}, "--count"},
        WrongUse{{"list", "--count", "-1"}, "--count"}, WrongUse{{"list", "--color", "blue"}, "--color"},
        WrongUse{{"list", "--netns"}, "--netns"}, WrongUse{{"diagnose", "--for", "0"}, "--for"},
        WrongUse{{"list", "--for", "3"}, "--for"}, WrongUse{{"doctor", "--interval", "1"}, "--interval"},
        WrongUse{{"list", "--json", "--json-stream"}, "--json"}, WrongUse{{"diagnos"}, "unknown command 'diagnos'"},
        WrongUse{{"list", "--color", "blue"}, "--color: takes auto|always|never"},
        WrongUse{{"advise", "--goal", "speed"}, "--goal: takes throughput|latency"},
        WrongUse{{"watch", "--count", "0"}, "--count: takes a whole number, 1 or more"}));

}  // namespace
}  // namespace tcpscope
