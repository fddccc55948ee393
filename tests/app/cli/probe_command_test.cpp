// A probe as a user runs it: both ends are this program, over loopback. Whether the machine kept the rate is no part of
// what is expected.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "collectors/system/child_process.h"
#include "tests/app/cli/exit_codes.h"
#include "tests/support/built_paths.h"
#include "tests/support/pretended_ssh.h"
#include "tests/support/program.h"

namespace tcpscope {
namespace {

using test::Outcome;
using testing::HasSubstr;

class Listener {
public:
  Listener() {
    // Else it would say its address, too.
    unsetenv("SSH_CONNECTION");
    ChildCommand command;
    command.arguments = {test::commandLineProgram(), "probe", "--listen", "--once"};
    command.output = ChildStream::pipe();
    auto process = ChildProcess::start(command);
    if (!process) return;
    m_process.emplace(std::move(*process));
    std::array<char, 64> bytes{};
    const ssize_t count = read(m_process->output().get(), bytes.data(), bytes.size());
    m_said.assign(bytes.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
  }
  /// "127.0.0.1:40123"
  [[nodiscard]] std::string target() const { return "127.0.0.1:" + m_said.substr(5, m_said.find('\n') - 5); }
  [[nodiscard]] const std::string& said() const { return m_said; }
  int end() { return m_process->wait().code().value_or(-1); }

private:
  std::optional<ChildProcess> m_process;
  std::string m_said;
};

void expectMeasured(const Outcome& outcome) {
  const auto document = nlohmann::json::parse(outcome.out, nullptr, false);
  ASSERT_FALSE(document.is_discarded()) << outcome.error;
  for (const auto& run : document.at("runs")) {
    EXPECT_EQ(run.at("planned_packets"), 312);
    EXPECT_EQ(run.at("sent_packets"), 312);
    EXPECT_EQ(run.at("lost_packets"), 0);
  }
  EXPECT_EQ(outcome.code, document.at("verdict") == "rejected" ? 1 : 0);
}

TEST(ProbeCommand, MeasuresThePathToAListener) {
  Listener listener;
  ASSERT_THAT(listener.said(), testing::MatchesRegex("port [0-9]+\n"));
  const Outcome outcome = test::runCommandLine({"probe", listener.target(), "--for", "2", "--json"});
  expectMeasured(outcome);
  EXPECT_THAT(outcome.error, HasSubstr("two runs of 998 ms, a packet of 48 or 400 bytes each 3.20 ms"));
  EXPECT_EQ(listener.end(), 0);
}

TEST(ProbeCommand, StartsTheListenerThroughSsh) {
  const test::PretendedSsh ssh;
  ssh.runsWords();
  expectMeasured(test::runCommandLine({"probe", "ssh://server.example", "--for", "2", "--json"}));
}

TEST(ProbeCommand, SaysWhereNoListenerWasStarted) {
  const test::PretendedSsh ssh;
  ssh.fails("bash: tcpscope-cli: command not found", 127);
  const Outcome outcome = test::runCommandLine({"probe", "ssh://server.example", "--for", "2"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.error, HasSubstr("started no listener"));
}

TEST(ProbeCommand, SaysWhatToStartWhereNothingListens) {
  const Outcome outcome = test::runCommandLine({"probe", "127.0.0.1:1", "--for", "2"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.error, HasSubstr("run 'tcpscope-cli probe --listen' there"));
  EXPECT_EQ(outcome.out, "");
}

struct WrongProbe {
  const char* title;
  std::vector<std::string> words;
  const char* sentence;
};
void PrintTo(const WrongProbe& wrong, std::ostream* out) {
  *out << wrong.title;
}

class ProbeWordsThat : public testing::TestWithParam<WrongProbe> {};

TEST_P(ProbeWordsThat, AreWrongSendNothing) {
  std::vector<std::string> words = {"probe"};
  words.insert(words.end(), GetParam().words.begin(), GetParam().words.end());
  const Outcome outcome = test::runCommandLine(words);
  EXPECT_EQ(outcome.code, 2) << outcome.error;
  EXPECT_THAT(outcome.error, HasSubstr(GetParam().sentence));
}

INSTANTIATE_TEST_SUITE_P(
    Each, ProbeWordsThat,
    testing::Values(WrongProbe{"noTarget", {}, "name the listener"},
                    WrongProbe{"noPort", {"db1"}, "'db1' is no HOST:PORT"},
                    WrongProbe{"addressWithoutBrackets", {"2001:db8::1:40123"}, "is no HOST:PORT"},
                    WrongProbe{"tooFast", {"127.0.0.1:9", "--rate", "1Gbit"}, "probe sends 10.0 kbit/s to 10.0 Mbit/s"},
                    WrongProbe{"tooLong", {"127.0.0.1:9", "--for", "3600"}, "for 2.00 s to 10 min"},
                    WrongProbe{"noRate", {"127.0.0.1:9", "--rate", "fast"}, "takes a rate such as 1Mbit"},
                    WrongProbe{"bothEnds", {"--listen", "127.0.0.1:9"}, "excludes"}),
    [](const auto& row) { return row.param.title; });

}  // namespace
}  // namespace tcpscope
