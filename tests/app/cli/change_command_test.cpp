// `apply`, `confirm`, `revert` and `changes` as an administrator types them, in a network namespace of their own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "core/present/json/change_document.h"
#include "core/present/json/connections_document.h"
#include "tests/app/cli/exit_codes.h"
#include "tests/support/built_paths.h"
#include "tests/support/json_schema.h"
#include "tests/support/program.h"

namespace tcpscope {
namespace {

using nlohmann::json;
using test::conformsTo;
using test::Outcome;
using testing::HasSubstr;

/// Lines of a shell in which $C is the program; the journal goes with the script, and so does what it changed.
Outcome script(const std::string& lines) {
  const std::string all =
      "export STATE_DIRECTORY=$(mktemp -d); trap 'rm -r $STATE_DIRECTORY' EXIT; C=" + test::commandLineProgram() +
      "; sysctl -qw net.ipv4.tcp_sack=1 || exit 77\n" + lines;
  Outcome outcome = test::runProgram("/usr/bin/unshare", {"--map-root-user", "--net", "sh", "-c", all});
  return outcome;
}

bool hasNoNamespace(const Outcome& outcome) {
  return outcome.code == 77 || outcome.error.find("unshare:") != std::string::npos;
}

TEST(ChangeCommand, AppliesConfirmsAndReverts) {
  const Outcome outcome = script(
      "$C apply net.ipv4.tcp_sack=0 --yes --revert-after 30 && sysctl net.ipv4.tcp_sack && $C confirm 1 && "
      "$C revert 1 && sysctl net.ipv4.tcp_sack && $C changes");
  if (hasNoNamespace(outcome)) GTEST_SKIP() << "no network namespace of one's own here: " << outcome.error;
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_THAT(outcome.out, HasSubstr("To keep it: tcpscope-cli confirm 1"));
  EXPECT_THAT(outcome.out, HasSubstr("net.ipv4.tcp_sack = 0"));
  EXPECT_THAT(outcome.out, HasSubstr("Change 1 stays until the next boot"));
  EXPECT_THAT(outcome.out, HasSubstr("net.ipv4.tcp_sack = 1"));
  EXPECT_THAT(outcome.out, HasSubstr("undone"));
}

TEST(ChangeCommand, ReportsEachStepAsADocument) {
  const Outcome outcome = script(
      "$C apply net.ipv4.tcp_sack=0 kernel.panic=1 --preview --json; $C apply net.ipv4.tcp_sack=0 --yes --json; "
      "$C revert 1 --json; $C changes --json");
  if (hasNoNamespace(outcome)) GTEST_SKIP() << "no network namespace of one's own here: " << outcome.error;
  std::istringstream lines(outcome.out);
  std::vector<json> documents;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_TRUE(conformsTo(changesSchema(), line));
    documents.push_back(json::parse(line));
  }
  ASSERT_EQ(documents.size(), 4U);
  EXPECT_EQ(documents[0].at("preview").at(0).at("verdict"), "changes");
  EXPECT_EQ(documents[0].at("preview").at(1).at("verdict"), "refused");
  EXPECT_EQ(documents[1].at("changes").at(0).at("state"), "confirmed");
  EXPECT_EQ(documents[2].at("restored").at(0).at("outcome"), "restored");
  EXPECT_EQ(documents[3].at("changes").at(0).at("state"), "reverted");
}

TEST(ChangeCommand, VerifiesByACommandThatRunsWithTheChangeAndWithoutItInTurn) {
  const Outcome outcome = script(
      "$C apply net.ipv4.tcp_sack=0 --yes >/dev/null; "
      "$C verify 1 --runs 3 --json -- 'cat /proc/sys/net/ipv4/tcp_sack >>$STATE_DIRECTORY/seen'; "
      "tr '\\n' ' ' <$STATE_DIRECTORY/seen; echo; cat /proc/sys/net/ipv4/tcp_sack");
  if (hasNoNamespace(outcome)) GTEST_SKIP() << "no network namespace of one's own here: " << outcome.error;
  std::istringstream lines(outcome.out);
  std::string document;
  std::string seen;
  std::string left;
  std::getline(lines, document);
  std::getline(lines, seen);
  std::getline(lines, left);
  EXPECT_TRUE(conformsTo(changesSchema(), document));
  EXPECT_EQ(json::parse(document).at("proof").at("before").at("runs"), 3);
  EXPECT_EQ(seen, "1 0 0 1 1 0 ");
  EXPECT_EQ(left, "0") << "the change stays";
}

/// Where root is, in a network namespace of its own: the user and the groups that a command has behind the variables of
/// `caller`.
Outcome ranAs(const std::string& caller) {
  const std::string lines =
      "export STATE_DIRECTORY=$(mktemp -d); chmod 711 $STATE_DIRECTORY; trap 'rm -r $STATE_DIRECTORY' EXIT; "
      "touch $STATE_DIRECTORY/seen; chmod 666 $STATE_DIRECTORY/seen; C=" +
      test::commandLineProgram() +
      "; $C apply net.ipv4.tcp_sack=0 --yes >/dev/null; unset SUDO_UID SUDO_GID PKEXEC_UID; " + caller +
      " $C verify 1 --runs 2 -- 'echo $(id -u) $(id -G) >>$STATE_DIRECTORY/seen' >/dev/null; "
      "sort -u $STATE_DIRECTORY/seen";
  return test::runProgram("/usr/bin/unshare", {"--net", "sh", "-c", lines});
}

TEST(ChangeCommand, RunsACommandAsTheUserBehindSudoOrPkexec) {
  if (test::runProgram("/usr/bin/unshare", {"--net", "setpriv", "--reuid=65534", "--clear-groups", "true"}).code != 0) {
    GTEST_SKIP() << "no other user to be";
  }
  // In Debian's password database the primary group of UID 65534 is 65534.
  EXPECT_EQ(ranAs("PKEXEC_UID=65534").out, "65534 65534\n");
  EXPECT_EQ(ranAs("SUDO_UID=65534 SUDO_GID=65534").out, "65534 65534\n");
  EXPECT_EQ(ranAs("SUDO_UID=0 SUDO_GID=0").out.substr(0, 3), "0 0");
}

TEST(ChangeCommand, RunsNoCommandAsRootForACallerThatItCannotBecome) {
  for (const char* caller : {"PKEXEC_UID=4000000000", "PKEXEC_UID=65534", "PKEXEC_UID=you", "SUDO_UID=65534",
                             "SUDO_UID=65534 SUDO_GID=65534", "SUDO_UID=you SUDO_GID=0"}) {
    const Outcome outcome = script(
        "unset SUDO_UID SUDO_GID PKEXEC_UID; $C apply net.ipv4.tcp_sack=0 --yes >/dev/null; " + std::string(caller) +
        " $C verify 1 -- 'id -u >>$STATE_DIRECTORY/seen'; code=$?; "
        "cat $STATE_DIRECTORY/seen 2>/dev/null; exit $code");
    if (hasNoNamespace(outcome)) GTEST_SKIP() << "no network namespace of one's own here: " << outcome.error;
    EXPECT_EQ(outcome.code, test::kMissingRight) << caller << outcome.error;
    EXPECT_EQ(outcome.out, "") << caller;
    EXPECT_THAT(outcome.error, HasSubstr("would run as root")) << caller;
  }
}

/// Two clients that send for 0.7 s and then start over, over loopback, for half a minute at most; a shell runs it.
constexpr std::string_view kTransfers = R"(python3 -c '
import socket, threading, time
until = time.monotonic() + 30
listener = socket.create_server(("127.0.0.1", 5001))
def drain(peer):
    while peer.recv(1 << 20): pass
def serve():
    while True: threading.Thread(target=drain, args=(listener.accept()[0],), daemon=True).start()
def send():
    while time.monotonic() < until:
        with socket.create_connection(("127.0.0.1", 5001)) as out:
            end = time.monotonic() + 0.7
            while time.monotonic() < end: out.sendall(bytes(65536))
threading.Thread(target=serve, daemon=True).start()
for one in range(2): threading.Thread(target=send, daemon=True).start()
time.sleep(30)' & TRANSFERS=$!; )";

TEST(ChangeCommand, VerifiesByTheTransfersThatBeginMeanwhile) {
  const Outcome outcome = script(
      "ip link set lo up; sysctl -qw net.ipv4.tcp_wmem='4096 4608 4608'; " + std::string(kTransfers) +
      "$C apply net.ipv4.tcp_wmem='4096 16384 4194304' --yes >/dev/null; $C verify 1 --runs 2 --for 2 --json; code=$?; "
      "kill $TRANSFERS; exit $code");
  if (hasNoNamespace(outcome)) GTEST_SKIP() << "no network namespace of one's own here: " << outcome.error;
  EXPECT_EQ(outcome.code, 0) << outcome.error << outcome.out;
  EXPECT_TRUE(conformsTo(changesSchema(), outcome.out));
  const json proof = json::parse(outcome.out).at("proof");
  EXPECT_GE(proof.at("before").at("transfers"), 4);
  EXPECT_GE(proof.at("after").at("transfers"), 4);
  EXPECT_GT(proof.at("speedup_ratio"), 2.0);
  EXPECT_EQ(proof.at("decided"), true);
}

// Whichever program changes a setting: the change is a line between the samples.
TEST(ChangeCommand, WatchReportsAChangeByAnotherProgram) {
  const Outcome outcome =
      script("ip link set lo up; " + std::string(kTransfers) +
             "SEEN=$STATE_DIRECTORY/seen; $C watch --json-stream --interval 0.5 --count 8 >$SEEN & WATCH=$!; "
             "while kill -0 $WATCH && [ ! -s $SEEN ]; do sleep 0.1; done; sysctl -qw net.ipv4.tcp_sack=0; wait $WATCH; "
             "cat $SEEN; "
             "kill $TRANSFERS");
  if (hasNoNamespace(outcome)) GTEST_SKIP() << "no network namespace of one's own here: " << outcome.error;
  std::istringstream lines(outcome.out);
  std::vector<json> changes;
  for (std::string line; std::getline(lines, line);) {
    if (line.find(R"("event":"change")") == std::string::npos) continue;
    EXPECT_TRUE(conformsTo(sampleSchema(), line));
    changes.push_back(json::parse(line).at("change"));
  }
  EXPECT_EQ(changes, std::vector{json::parse(R"({"key": "net.ipv4.tcp_sack", "before": "1", "after": "0"})")});
}

TEST(ChangeCommand, SaysThatNoTransferBegan) {
  const Outcome outcome = script("$C apply net.ipv4.tcp_sack=0 --yes >/dev/null; $C verify 1 --runs 2 --for 0.5");
  if (hasNoNamespace(outcome)) GTEST_SKIP() << "no network namespace of one's own here: " << outcome.error;
  EXPECT_EQ(outcome.code, test::kNotThere);
  EXPECT_THAT(outcome.error, HasSubstr("no transfer of at least half a second started"));
}

TEST(ChangeCommand, ComparesNothingWhereTheCommandFails) {
  const Outcome outcome = script("$C apply net.ipv4.tcp_sack=0 --yes; $C verify 1 -- 'exit 3'");
  if (hasNoNamespace(outcome)) GTEST_SKIP() << "no network namespace of one's own here: " << outcome.error;
  EXPECT_EQ(outcome.code, 5);
  EXPECT_THAT(outcome.error, HasSubstr("ended with 3"));
}

TEST(ChangeCommand, ChangesNothingWithoutAYes) {
  const Outcome outcome = test::runProgram(test::commandLineProgram(), {"apply", "net.ipv4.tcp_sack=0"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.error, HasSubstr("--preview"));
}

TEST(ChangeCommand, RefusesWhatIsNotListed) {
  const Outcome outcome = script("$C apply kernel.core_pattern='|/bin/sh' --yes");
  if (hasNoNamespace(outcome)) GTEST_SKIP() << "no network namespace of one's own here: " << outcome.error;
  EXPECT_EQ(outcome.code, test::kRefused);
  EXPECT_THAT(outcome.error, HasSubstr("is not a setting that tcpscope changes"));
}

TEST(ChangeCommand, PersistsNothingOutsideOfTheHostsOwnNamespace) {
  const Outcome outcome = script("$C apply net.ipv4.tcp_sack=0 --yes --persist");
  if (hasNoNamespace(outcome)) GTEST_SKIP() << "no network namespace of one's own here: " << outcome.error;
  EXPECT_EQ(outcome.code, test::kRefused);
}

TEST(ChangeCommand, SaysWhichRightIsMissing) {
  // No real setting changes should this fail: root drops its rights in a namespace of its own.
  const std::string program = "d=$(mktemp -d); chmod 777 $d; trap 'rm -r $d' EXIT; STATE_DIRECTORY=$d " +
                              std::string(geteuid() == 0 ? "unshare --net setpriv --reuid 65534 --clear-groups " : "") +
                              test::commandLineProgram() + " apply net.ipv4.tcp_sack=0 --yes";
  const Outcome outcome = test::runProgram("/bin/sh", {"-c", program});
  EXPECT_EQ(outcome.code, test::kMissingRight) << outcome.error;
  EXPECT_THAT(outcome.error, HasSubstr("sudo"));
}

TEST(ChangeCommand, WithoutAJournalThereAreNoChanges) {
  const Outcome outcome = script("$C changes; $C revert 1");
  if (hasNoNamespace(outcome)) GTEST_SKIP() << "no network namespace of one's own here: " << outcome.error;
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("No change was made"));
  EXPECT_THAT(outcome.error, HasSubstr("there is no change 1"));
}

}  // namespace
}  // namespace tcpscope
