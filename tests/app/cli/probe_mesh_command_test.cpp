// A mesh as a user runs it: a host behind ssh that is this one, a listener, and a port where nothing listens.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "collectors/system/child_process.h"
#include "core/present/json/probe_document.h"
#include "tests/app/cli/exit_codes.h"
#include "tests/support/built_paths.h"
#include "tests/support/json_schema.h"
#include "tests/support/pretended_ssh.h"
#include "tests/support/program.h"

namespace tcpscope {
namespace {

using test::Outcome;
using testing::HasSubstr;

class ProbeMeshCommand : public testing::Test {
protected:
  void TearDown() override { std::filesystem::remove(m_path); }
  void writeMesh(const std::string& text) const { std::ofstream(m_path) << text; }
  [[nodiscard]] Outcome run(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"probe", "--mesh", m_path, "--for", "2"};
    words.insert(words.end(), more.begin(), more.end());
    return test::runCommandLine(words);
  }

  std::string m_path = "/tmp/tcpscope-mesh-" + std::to_string(getpid());
};

TEST_F(ProbeMeshCommand, MeasuresEachPairThatItCan) {
  unsetenv("SSH_CONNECTION");
  const test::PretendedSsh ssh;
  ssh.runsWords();
  ChildCommand command;
  command.arguments = {test::commandLineProgram(), "probe", "--listen"};
  command.output = ChildStream::pipe();
  const auto listener = ChildProcess::start(command);
  ASSERT_TRUE(listener);
  std::array<char, 64> bytes{};
  const ssize_t count = read(listener->output().get(), bytes.data(), bytes.size());
  ASSERT_GT(count, 6);
  const std::string port(bytes.data() + 5, static_cast<std::size_t>(count) - 6);
  writeMesh("ssh://server.example\n127.0.0.1:" + port + "\n127.0.0.1:1  # nothing listens\n");

  const Outcome outcome = run({"--json"});
  EXPECT_EQ(outcome.code, 1) << outcome.error;
  EXPECT_THAT(outcome.error, HasSubstr("Probing 3 hosts, 5 pairs one after the other, about 40.0 s in all"));
  EXPECT_TRUE(test::conformsTo(probeMeshSchema(), outcome.out));
  const auto document = nlohmann::json::parse(outcome.out, nullptr, false);
  ASSERT_FALSE(document.is_discarded());
  std::vector<std::string> pairs;
  for (const auto& pair : document.at("pairs")) {
    const bool isMeasured = pair.at("measured");
    const std::string to = pair.at("to");
    pairs.push_back(std::string(pair.at("from")) + " " + (to == "127.0.0.1:" + port ? "listener" : to));
    EXPECT_EQ(isMeasured, to != "127.0.0.1:1") << pair;
    if (isMeasured) {
      EXPECT_EQ(pair.at("sent_packets"), 624);
      EXPECT_EQ(pair.at("lost_packets"), 0);
    }
  }
  EXPECT_THAT(pairs, testing::ElementsAre("here ssh://server.example", "here listener", "here 127.0.0.1:1",
                                          "ssh://server.example listener", "ssh://server.example 127.0.0.1:1"));
}

TEST_F(ProbeMeshCommand, SaysWhyAPairIsNotMeasured) {
  const test::PretendedSsh ssh;
  ssh.fails("ssh: connect to host server.example port 22: No route to host", 255);
  writeMesh("ssh://server.example\n127.0.0.1:1\n");
  const Outcome outcome = run();
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("not measured: ssh://server.example started no listener"));
  EXPECT_THAT(outcome.out, HasSubstr("not measured: ssh://server.example: ssh could not connect to it"));
  EXPECT_THAT(outcome.out, HasSubstr("not measured: cannot reach a listener at 127.0.0.1:1"));
  EXPECT_THAT(outcome.out, HasSubstr("from a HOST:PORT, which only receives"));
}

TEST_F(ProbeMeshCommand, RefusesAWrongFileBeforeItSends) {
  writeMesh("ssh://server.example\ndb1\n");
  const Outcome outcome = run();
  EXPECT_EQ(outcome.code, 4);
  EXPECT_THAT(outcome.error, HasSubstr("line 2: 'db1' is no HOST:PORT"));
  EXPECT_EQ(test::runCommandLine({"probe", "--mesh", "/nonexistent"}).code, 4);
}

TEST_F(ProbeMeshCommand, AProbeThatAnotherProgramStartedEndsWithIt) {
  const test::PretendedSsh ssh;
  ssh.runsWords();
  ChildCommand command;
  command.arguments = {test::commandLineProgram(), "probe", "ssh://server.example", "--until-eof"};
  command.input = ChildStream::pipe();
  command.output = ChildStream::null();
  command.errors = ChildStream::pipe();
  auto probe = ChildProcess::start(command);
  ASSERT_TRUE(probe);
  std::string said;
  std::array<char, 256> bytes{};
  while (said.find("Probing") == std::string::npos) {
    const ssize_t count = read(probe->errors().get(), bytes.data(), bytes.size());
    ASSERT_GT(count, 0) << said;
    said.append(bytes.data(), static_cast<std::size_t>(count));
  }
  // Five minutes by default.
  probe->input() = OwnedDescriptor();
  EXPECT_EQ(probe->wait().code(), 5);
}

}  // namespace
}  // namespace tcpscope
