// The sudoers lines of the README allow the commands that a change of another host runs as root there, and no others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "app/changes/transport/change_transport.h"
#include "collectors/host/place_reader.h"
#include "tests/support/built_paths.h"
#include "tests/support/program.h"

namespace tcpscope {
namespace {

namespace fs = std::filesystem;
using testing::StartsWith;

std::string contentOf(const fs::path& path) {
  std::ostringstream content;
  content << std::ifstream(path).rdbuf();
  return content.str();
}

/// What the README's lines allow behind /usr/bin/tcpscope-cli. sudo compares them with all arguments, joined by blanks.
std::vector<std::regex> allowedArguments() {
  const std::string readme = contentOf(test::testData() / "../../README.md");
  std::vector<std::regex> allowed;
  std::istringstream lines(readme);
  constexpr std::string_view kCommand = "  /usr/bin/tcpscope-cli ^";
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(kCommand)) continue;
    const std::size_t begin = kCommand.size() - 1;
    allowed.emplace_back(line.substr(begin, line.rfind('$') + 1 - begin), std::regex::extended);
  }
  return allowed;
}

bool isAllowed(const std::string& arguments) {
  const auto allowed = allowedArguments();
  return std::any_of(allowed.begin(), allowed.end(),
                     [&](const std::regex& one) { return std::regex_match(arguments, one); });
}

/// Another host whose login is no root: its `sudo` notes how it was called.
class HostWithSudo {
public:
  HostWithSudo() {
    std::string pattern = (fs::temp_directory_path() / "tcpscope-sudoers-XXXXXX").string();
    m_folder = mkdtemp(pattern.data());
    program("id", "echo 1000");
    program("sudo", "echo \"$*\" >>\"$(dirname \"$0\")/called\"; exit 1");
    program("tcpscope-cli", "exit 3");
  }
  HostWithSudo(const HostWithSudo&) = delete;
  HostWithSudo& operator=(const HostWithSudo&) = delete;
  ~HostWithSudo() { fs::remove_all(m_folder); }

  /// As sshd does with what ssh sends: all words behind the host, joined, are a line for the login's shell.
  [[nodiscard]] ChangeTransportPointer transport() const {
    return sshTransport("db1", readPlace(PlaceId{0}), SshManner::alone,
                        [this](const std::vector<std::string>& words, SshManner, const std::stop_token&) {
                          std::string line = "PATH=" + m_folder.string() + ":$PATH;";
                          const auto host = std::find(words.begin(), words.end(), "--");
                          for (auto word = host + 2; word < words.end(); ++word) line += " " + *word;
                          const test::Outcome outcome = test::runProgram("/bin/sh", {"-c", line});
                          return CommandResult{outcome.code, outcome.out, outcome.error};
                        });
  }
  /// The arguments of the program in each call of sudo.
  [[nodiscard]] std::vector<std::string> calls() const {
    const std::string begin = "-n -- " + (m_folder / "tcpscope-cli").string() + " ";
    std::vector<std::string> arguments;
    std::istringstream lines(contentOf(m_folder / "called"));
    for (std::string line; std::getline(lines, line);) {
      EXPECT_THAT(line, StartsWith(begin));
      arguments.push_back(line.substr(std::min(begin.size(), line.size())));
    }
    return arguments;
  }

private:
  void program(const std::string& name, const std::string& line) const {
    std::ofstream(m_folder / name) << "#!/bin/sh\n" << line << '\n';
    fs::permissions(m_folder / name, fs::perms(0755));
  }

  fs::path m_folder;
};

TEST(SudoersLine, AllowsWhatAChangeOfAnotherHostRunsAsRootThere) {
  const HostWithSudo host;
  const auto transport = host.transport();
  ChangeRequest request;
  request.settings = {{"net.ipv4.tcp_rmem", "4096 131072 6291456"}, {"net.core.default_qdisc", "fq_codel"}};
  request.expected = {{"net.ipv4.tcp_rmem", "4096 131072 131072"}, {"net.core.default_qdisc", "pfifo_fast"}};
  request.revertAfter = std::chrono::seconds(60);
  transport->apply(request, {});
  request.persist = true;
  transport->apply(request, {});
  request.revertAfter.reset();
  request.expected.clear();
  transport->apply(request, {});
  transport->confirm(request, 17, {});
  transport->revert(request, 17, {});
  transport->list({});
  const std::vector<std::string> calls = host.calls();
  EXPECT_EQ(calls.size(), 6U);
  for (const std::string& arguments : calls) EXPECT_TRUE(isAllowed(arguments)) << arguments;
}

TEST(SudoersLine, AllowsNothingElse) {
  for (const std::string arguments : {"",
                                      "record -o /etc/passwd",
                                      "capture -o x",
                                      "export --series rtt_us -o x",
                                      "report -o x.html",
                                      "agent",
                                      "lab record x",
                                      "verify 1 --json -- sh",
                                      "apply",
                                      "apply --yes --json",
                                      "apply record -o x",
                                      "apply --yes --json record -o x",
                                      "apply --yes --json net.ipv4.tcp_sack=1 --netns 5",
                                      "apply --yes --json net.ipv4.tcp_sack=1 -o x",
                                      "apply --yes --json net.ipv4.tcp_sack=$(id)",
                                      "apply --yes --json kernel.core_pattern=1",
                                      "confirm 1 --json --netns 5",
                                      "confirm 1 2 --json",
                                      "revert x --json",
                                      "changes --json --netns 5",
                                      "changes --json\nagent",
                                      "tune 0:1 SO_SNDBUF=1 --json"}) {
    EXPECT_FALSE(isAllowed(arguments)) << arguments;
  }
}

}  // namespace
}  // namespace tcpscope
