// How ssh is started, and that a shell there hands on each word as it is.
#include "app/remote/ssh_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/escape.h"
#include "tests/support/hostile_strings.h"
#include "tests/support/program.h"

namespace tcpscope {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

TEST(SshCommand, NamesTheHostBehindEveryOption) {
  const auto words = sshWords({"me", "db1", "2222"}, SshManner::inTerminal);
  EXPECT_THAT(words, ElementsAre("ssh", "-TC", "-oServerAliveInterval=5", "-oServerAliveCountMax=3", "-l", "me", "-p",
                                 "2222", "--", "db1"));
}

TEST(SshCommand, EntersTheNamespaceBeforeWhatRunsThere) {
  const auto words = sshWords({{}, "db1", {}, "web"}, SshManner::inTerminal);
  EXPECT_THAT(std::vector<std::string>(words.end() - 5, words.end()), ElementsAre("db1", "ip", "netns", "exec", "web"));
}

TEST(SshCommand, EntersNoNamespaceWhereAllAreMeant) {
  EXPECT_EQ(sshWords({{}, "db1", {}, "all"}, SshManner::inTerminal).back(), "db1");
}

TEST(SshCommand, AsksOnlyWhereAPersonWantedIt) {
  EXPECT_THAT(sshWords({{}, "db1", {}}, SshManner::asking), Not(Contains("-oBatchMode=yes")));
  EXPECT_THAT(sshWords({{}, "db1", {}}, SshManner::alone), Contains("-oBatchMode=yes"));
}

TEST(SshCommand, HandsHostileWordsToAShellAsTheyAre) {
  std::vector<std::string> words = test::hostileStrings();
  words.insert(words.end(),
               {"",      "it's", "'",  "''",    "\\", "a b", "$(touch /tmp/x)", "`id`", "a;b", "a&&b", "|x", ">x", "*",
                "~root", "-n",   "#x", "{a,b}", "!!", "a=b", "\"x\"",           "$1"});
  std::string line = "printf '%s\\n'";
  std::string expected;
  for (const std::string& word : wordsForThere(words)) line += " " + word;
  for (const std::string& word : words) expected += forPlainText(word) + "\n";
  // As ssh does it: a shell reads one line that holds another shell's.
  const auto outer = wordsForThere({"sh", "-c", line});
  const auto outcome = test::runProgram("/bin/sh", {"-c", outer[0] + " " + outer[1] + " " + outer[2]});
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_EQ(outcome.out, expected);
}

}  // namespace
}  // namespace tcpscope
