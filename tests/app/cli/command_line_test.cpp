// The real program, as a user or a script meets it.
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "core/host/capability.h"
#include "tests/support/built_paths.h"
#include "tests/support/pretended_ssh.h"
#include "tests/support/program.h"

namespace tcpscope {
namespace {

using ::testing::Test;

using test::isOneLine;
using test::Outcome;

/// Beside samples a stream has gaps, such as drops of other connections that were too many to report.
std::ptrdiff_t samplesIn(const std::string& stream) {
  std::istringstream lines(stream);
  std::ptrdiff_t samples = 0;
  for (std::string line; std::getline(lines, line);) {
    if (nlohmann::json::parse(line).at("event") == "sample") ++samples;
  }
  return samples;
}

/// A listener and a connection to it on the loopback interface.
class CommandLineTest : public Test {
protected:
  void SetUp() override {
    m_listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);  // NOLINT: the interface of sockets
    ASSERT_EQ(bind(m_listener, generic, size), 0);
    ASSERT_EQ(listen(m_listener, 4), 0);
    ASSERT_EQ(getsockname(m_listener, generic, &size), 0);
    m_port = ntohs(address.sin_port);
    m_client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ASSERT_EQ(connect(m_client, generic, size), 0);
    m_server = accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC);
    ASSERT_GE(m_server, 0);
  }
  void TearDown() override {
    for (const int descriptor : {m_server, m_client, m_listener}) close(descriptor);
  }

  [[nodiscard]] std::string address() const { return "127.0.0.1:" + std::to_string(m_port); }
  /// What other tests closed may have had the same port, and waits still.
  [[nodiscard]] std::string toServer() const { return "dst = " + address() + " and state = established"; }

  std::uint16_t m_port = 0;
  int m_listener = -1;
  int m_client = -1;
  int m_server = -1;
};

TEST_F(CommandLineTest, ListShowsTheConnectionWithItsProcess) {
  const Outcome outcome = test::runCommandLine({"list", "--", toServer()});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.out.find(address()), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("ESTABLISHED"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("(" + std::to_string(getpid())), std::string::npos) << outcome.out;
}

TEST_F(CommandLineTest, ListLeavesOutWhatTheFilterDoesNotMatch) {
  const Outcome outcome = test::runCommandLine({"list", "--", "sport", "=", ":" + std::to_string(m_port)});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.out.find("LISTENER"), std::string::npos) << outcome.out;
  const auto connections =
      nlohmann::json::parse(test::runCommandLine({"list", "--json", "--", toServer()}).out).at("connections");
  EXPECT_EQ(connections.size(), 1U);
}

TEST_F(CommandLineTest, ListAsJsonIsOneDocumentWithTheConnection) {
  const Outcome outcome = test::runCommandLine({"list", "--json", "--no-resolve", "--", toServer()});
  ASSERT_EQ(outcome.code, 0);
  const auto document = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(document.at("schema"), "tcpscope.connections");
  const auto& connection = document.at("connections").at(0);
  EXPECT_EQ(connection.at("remote"), address());
  EXPECT_EQ(connection.at("state"), "ESTABLISHED");
  EXPECT_GT(connection.at("metrics").at("snd_cwnd_segments").get<double>(), 0);
  EXPECT_FALSE(connection.contains("process"));
}

TEST_F(CommandLineTest, AStreamHasOneObjectALine) {
  const Outcome outcome = test::runCommandLine({"list", "--json-stream", "--", toServer()});
  ASSERT_EQ(outcome.code, 0);
  EXPECT_TRUE(isOneLine(outcome.out));
  EXPECT_EQ(nlohmann::json::parse(outcome.out).at("event"), "sample");
}

TEST_F(CommandLineTest, OutputToAPipeHasNoColour) {
  for (const std::string command : {"list", "diagnose"}) {
    std::vector<std::string> words = {command};
    if (command == "diagnose") words.insert(words.end(), {"--for", "0.5"});
    words.insert(words.end(), {"--", toServer()});
    EXPECT_EQ(test::runCommandLine(words).out.find('\x1b'), std::string::npos);
  }
}

TEST_F(CommandLineTest, DiagnoseCallsAQuietConnectionIdle) {
  const Outcome outcome = test::runCommandLine({"diagnose", "--for", "0.5", "--json", "--", toServer()});
  ASSERT_EQ(outcome.code, 0);
  const auto connection = nlohmann::json::parse(outcome.out).at("connections").at(0);
  EXPECT_EQ(connection.at("verdict").at("limit"), "idle");
}

TEST_F(CommandLineTest, AdviseSaysWhyAQuietConnectionGetsNoAdvice) {
  // Something has to have been sent, so that there is a side to advise on.
  ASSERT_EQ(send(m_client, "x", 1, 0), 1);
  const Outcome outcome = test::runCommandLine(
      {"advise", "--for", "0.5", "--json", "--target-rate", "100Mbit", "--target-rtt", "20ms", "--", toServer()});
  ASSERT_EQ(outcome.code, 0) << outcome.error;
  const auto side = nlohmann::json::parse(outcome.out).at("connections").at(0).at("sending");
  EXPECT_TRUE(side.at("advice").empty());
  EXPECT_EQ(side.at("why_no_advice").at("reason"), "idle");
}

TEST_F(CommandLineTest, AdviseRefusesATargetThatIsNone) {
  for (const std::string word : {"fast", "0", "unlimited", "-5Mbit"}) {
    const Outcome outcome = test::runCommandLine({"advise", "--target-rate=" + word});
    EXPECT_EQ(outcome.code, 2) << word;
    EXPECT_TRUE(isOneLine(outcome.error)) << outcome.error;
  }
}

TEST_F(CommandLineTest, WatchPrintsAsManyTablesAsItIsAskedFor) {
  const Outcome outcome = test::runCommandLine({"watch", "--interval", "0.2", "--count", "2", "--", toServer()});
  ASSERT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out.find("PROCESS"), 0U);
  EXPECT_NE(outcome.out.find("PROCESS", 1), std::string::npos);
  EXPECT_NE(outcome.out.find(address()), std::string::npos) << outcome.out;
}

TEST_F(CommandLineTest, ANamespaceMayBeNamedByAProcess) {
  const Outcome outcome = test::runCommandLine({"list", "--netns", std::to_string(getpid()), "--", toServer()});
  if (outcome.code == 3) GTEST_SKIP() << "no right to enter a namespace here: " << outcome.error;
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.out.find(address()), std::string::npos) << outcome.out;
}

TEST(CommandLine, SaysWhereAFilterDoesNotParse) {
  const Outcome outcome = test::runCommandLine({"list", "--", "dport", "=", ":nonsense-port"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(isOneLine(outcome.error)) << outcome.error;
  EXPECT_NE(outcome.error.find("character 9"), std::string::npos) << outcome.error;
}

TEST(CommandLine, ANamespaceThatDoesNotExistIsNotThere) {
  const Outcome outcome = test::runCommandLine({"list", "--netns", "no-such-namespace"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(isOneLine(outcome.error)) << outcome.error;
  EXPECT_NE(outcome.error.find("no-such-namespace"), std::string::npos);
}

TEST(CommandLine, AFilterThatMatchesNothingIsNotThere) {
  EXPECT_EQ(test::runCommandLine({"list", "--", "src 203.0.113.77 and sport = :1"}).code, 1);
}

TEST(CommandLine, AFilterByProcessNeedsProcesses) {
  EXPECT_EQ(test::runCommandLine({"list", "--no-resolve", "--", "process ~ nginx"}).code, 2);
}

TEST(CommandLine, WrongUsageIsReportedInOneLine) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{},
                                                {"frobnicate"},
                                                {"list", "--bogus"},
                                                {"list", "--interval", "-3"},
                                                {"list", "--json", "--json-stream"},
                                                {"watch", "--events", "--from", "slow.tcpscope"},
                                                {"list", "dport"}}) {
    const Outcome outcome = test::runCommandLine(words);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(isOneLine(outcome.error)) << outcome.error;
  }
}

TEST(CommandLine, WrongUsageSaysWhatIsRight) {
  const auto errorOf = [](const std::vector<std::string>& words) { return test::runCommandLine(words).error; };
  EXPECT_NE(errorOf({"diagnose", "--for", "5s"}).find("takes seconds, a number without unit, 0.5 to 3600"),
            std::string::npos);
  EXPECT_NE(errorOf({"list", "sport = :443"}).find("a filter follows '--', as in 'tcpscope-cli list -- dport = :443'"),
            std::string::npos);
  EXPECT_EQ(errorOf({"list", "--bogus"}).find("a filter follows"), std::string::npos);
}

TEST(CommandLine, HelpFitsATerminal) {
  for (const std::string command : {"list", "watch", "report", "analyze", "tune", "lab"}) {
    std::istringstream lines(test::runCommandLine({command, "--help"}).out);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(line.size(), 80U) << line;
    }
  }
}

TEST(CommandLine, HelpSaysOfAnOptionOnlyWhatItShows) {
  const std::string capture = test::runCommandLine({"capture", "--help"}).out;
  EXPECT_NE(capture.find("--netns NAME|PID            Use this network namespace"), std::string::npos) << capture;
  const std::string tune = test::runCommandLine({"tune", "--help"}).out;
  EXPECT_NE(tune.find("\n  tune SO_BUF_LOCK=none -- dport = :443\n"), std::string::npos) << tune;
}

TEST(CommandLine, HelpNamesOnlyWhatThereIs) {
  const Outcome outcome = test::runCommandLine({"--help"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.out.find("diagnose"), std::string::npos);
  EXPECT_NE(outcome.out.find("advise"), std::string::npos);
  EXPECT_NE(outcome.out.find("verify"), std::string::npos);
  EXPECT_NE(outcome.out.find("report"), std::string::npos);
  EXPECT_NE(outcome.out.find("paths"), std::string::npos);
}

TEST(CommandLine, DoctorSaysWhatWorks) {
  const Outcome outcome = test::runCommandLine({"doctor"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.out.find("All TCP connections of this network namespace"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("Packet sockets, for the lab"), std::string::npos) << outcome.out;
}

TEST(CommandLine, DoctorAsJsonNamesEachCapabilityOnce) {
  const Outcome outcome = test::runCommandLine({"doctor", "--json"});
  ASSERT_EQ(outcome.code, 0);
  const auto document = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(document.at("schema"), "tcpscope.doctor");
  std::set<std::string> names;
  for (const auto& check : document.at("checks")) names.insert(check.at("name").get<std::string>());
  EXPECT_EQ(names.size(), kWatchCapabilityCount + kLabCapabilityCount);
  EXPECT_EQ(document.at("checks").size(), names.size());
}

/// A name for a file of this test alone, which is gone with the object.
struct RecordingFile {
  std::string path = "/tmp/tcpscope-cli-test-" + std::to_string(getpid()) + ".tcpscope";
  RecordingFile() = default;
  RecordingFile(const RecordingFile&) = delete;
  RecordingFile& operator=(const RecordingFile&) = delete;
  ~RecordingFile() { unlink(path.c_str()); }
};

TEST_F(CommandLineTest, WhatWasRecordedIsListedAndDiagnosedLater) {
  const RecordingFile file;
  ASSERT_EQ(test::runCommandLine({"record", "-o", file.path, "--for", "1", "--", toServer()}).code, 0);
  const Outcome listed = test::runCommandLine({"list", "--from", file.path});
  EXPECT_EQ(listed.code, 0);
  EXPECT_NE(listed.out.find(address()), std::string::npos) << listed.out;
  EXPECT_NE(listed.out.find("(" + std::to_string(getpid())), std::string::npos) << listed.out;
  const auto document =
      nlohmann::json::parse(test::runCommandLine({"diagnose", "--json", "--from", file.path, "--", toServer()}).out);
  EXPECT_EQ(document.at("connections").size(), 1U);
  EXPECT_EQ(document.at("places").at(0).at("recording"), file.path.substr(file.path.rfind('/') + 1));
  EXPECT_EQ(test::runCommandLine({"list", "--from", file.path, "--", "dport", "=", ":1"}).code, 1);
}

TEST_F(CommandLineTest, ARecordingIsAnalysedAsItIsDiagnosed) {
  const RecordingFile file;
  ASSERT_EQ(test::runCommandLine({"record", "-o", file.path, "--for", "1", "--", toServer()}).code, 0);
  const Outcome diagnosed = test::runCommandLine({"diagnose", "--json", "--from", file.path, "--", toServer()});
  const Outcome analysed = test::runCommandLine({"analyze", "--json", file.path, "--", toServer()});
  EXPECT_EQ(analysed.code, 0);
  EXPECT_EQ(analysed.out, diagnosed.out);
  EXPECT_EQ(test::runCommandLine({"analyze", file.path, "--", "dport", "=", ":1"}).code, 1);
  EXPECT_EQ(test::runCommandLine({"analyze", "--json", file.path, file.path}).code, 2)
      << "two documents are no document";
  const Outcome two = test::runCommandLine({"analyze", file.path, file.path});
  EXPECT_EQ(two.code, 0);
  EXPECT_NE(two.out.find(file.path), two.out.rfind(file.path)) << "each has its name above it";
}

TEST_F(CommandLineTest, ARecordingIsWatchedAsADocumentOfItsEndAndAsAStream) {
  const RecordingFile file;
  ASSERT_EQ(test::runCommandLine({"record", "-o", file.path, "--for", "1", "--", toServer()}).code, 0);
  const auto document =
      nlohmann::json::parse(test::runCommandLine({"watch", "--json", "--from", file.path, "--", toServer()}).out);
  EXPECT_EQ(document.at("connections").size(), 1U);
  EXPECT_EQ(document.at("places").at(0).at("recording"), file.path.substr(file.path.rfind('/') + 1));
  const Outcome stream =
      test::runCommandLine({"watch", "--json-stream", "--interval", "0.2", "--from", file.path, "--", toServer()});
  std::istringstream lines(stream.out);
  std::vector<std::string> times;
  for (std::string line; std::getline(lines, line);) times.push_back(nlohmann::json::parse(line).at("time"));
  EXPECT_GE(times.size(), 4U) << "one per sample";
  EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
  EXPECT_EQ(times.back(), document.at("time")) << "the last sample is at the recording's end";
  const Outcome first =
      test::runCommandLine({"watch", "--json-stream", "--count", "1", "--from", file.path, "--", toServer()});
  EXPECT_EQ(samplesIn(first.out), 1) << first.out;
}

TEST_F(CommandLineTest, AnotherHostIsWatchedAsADocumentAndAsAStream) {
  const test::PretendedSsh ssh;
  const std::string host = "ssh://server.example";
  const auto document = nlohmann::json::parse(
      test::runCommandLine({"watch", "--json", "--interval", "0.2", "--from", host, "--", toServer()}).out);
  ASSERT_EQ(document.at("connections").size(), 1U);
  EXPECT_EQ(document.at("connections").at(0).at("process").at("pid"), getpid());
  const Outcome stream = test::runCommandLine(
      {"watch", "--json-stream", "--interval", "0.2", "--count", "3", "--from", host, "--", toServer()});
  EXPECT_EQ(samplesIn(stream.out), 3) << stream.out;
}

TEST_F(CommandLineTest, ARecordingThatIsNoneIsSaidInOneLine) {
  const Outcome missing = test::runCommandLine({"list", "--from", "/does/not/exist"});
  EXPECT_EQ(missing.code, 1);
  EXPECT_TRUE(isOneLine(missing.error)) << missing.error;
  const Outcome foreign = test::runCommandLine({"diagnose", "--from", test::commandLineProgram()});
  EXPECT_EQ(foreign.code, 4);
  EXPECT_TRUE(isOneLine(foreign.error)) << foreign.error;
}

TEST_F(CommandLineTest, AnAgentEndsWhenItsRequestsEnd) {
  const Outcome outcome = test::runCommandLine({"agent"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out.substr(1, 3), "TSC");
}

TEST_F(CommandLineTest, ALimitOfTheDiskEndsARecordingInOneLineAndKeepsIt) {
  const RecordingFile file;
  // Six blocks of 512 bytes: more than the host's settings and one connection take, less than some seconds of it.
  const std::string command = "ulimit -f 6; exec " + test::commandLineProgram() + " record -o " + file.path +
                              " --interval 0.02 --for 30 --no-resolve -- " + toServer();
  const Outcome outcome = test::runProgram("/bin/sh", {"-c", command});
  EXPECT_EQ(outcome.code, 5);
  EXPECT_TRUE(isOneLine(outcome.error)) << outcome.error;
  EXPECT_NE(outcome.error.find("stays readable"), std::string::npos) << outcome.error;
  EXPECT_EQ(test::runCommandLine({"list", "--from", file.path}).code, 0);
}

TEST_F(CommandLineTest, ExportWritesAMetricOverTime) {
  const Outcome live = test::runCommandLine({"export", "--series", "rtt_us,snd_cwnd_segments", "-o", "-", "--for", "1",
                                             "--interval", "0.25", "--", toServer()});
  ASSERT_EQ(live.code, 0) << live.error;
  const std::string header = "time_s,time,id,local,remote,process,rtt_us,snd_cwnd_segments\r\n";
  EXPECT_EQ(live.out.substr(0, header.size()), header);
  EXPECT_GE(std::count(live.out.begin(), live.out.end(), '\n'), 5);
  EXPECT_NE(live.out.find("\n0.000000,"), std::string::npos) << live.out;
  EXPECT_NE(live.out.find(",10\r\n"), std::string::npos) << "the first window" << live.out;
  const Outcome nowhere = test::runCommandLine({"export", "--series", "rtt_us", "-o", "/no/such/x.csv", "--for", "1"});
  EXPECT_EQ(nowhere.code, 5);
  EXPECT_NE(nowhere.error.find("cannot write '/no/such/x.csv': No such file"), std::string::npos) << nowhere.error;
  const Outcome unknown = test::runCommandLine({"export", "--series", "rtt", "-o", "-"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(isOneLine(unknown.error));
}

}  // namespace
}  // namespace tcpscope
