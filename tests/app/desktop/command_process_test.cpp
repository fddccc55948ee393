// Programs that are run for what they say, with real ones.
#include "app/desktop/command_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tcpscope {
namespace {

using namespace std::chrono_literals;

CommandResult runLines(const std::string& lines, const CommandManner& manner = {}) {
  return runCommandAs(manner, {"sh", "-c", lines}, {});
}

TEST(CommandProcess, ReportsTheOutputAndTheExitCode) {
  const CommandResult answer = runLines("echo said; echo wrong >&2; exit 6");
  EXPECT_EQ(answer.exitCode, 6);
  EXPECT_EQ(answer.output, "said\n");
  EXPECT_EQ(answer.errorText, "wrong\n");
  EXPECT_FALSE(answer.isLost);
}

TEST(CommandProcess, KnowsThatWhatCannotBeStartedDidNothing) {
  const CommandResult answer = runCommandAs({}, {"/nonexistent/program"}, {});
  EXPECT_EQ(answer.exitCode, -1);
  EXPECT_FALSE(answer.isLost);
  EXPECT_FALSE(answer.errorText.empty());
}

TEST(CommandProcess, KnowsNotWhatWasDoneByOneThatWasKilled) {
  EXPECT_TRUE(runLines("kill -9 $$").isLost);
}

TEST(CommandProcess, EndsOneThatTakesTooLong) {
  const CommandResult answer = runCommandAs({false, 200ms}, {"sleep", "600"}, {});
  EXPECT_EQ(answer.exitCode, -1);
  EXPECT_TRUE(answer.isLost);
}

TEST(CommandProcess, EndsOneThatSaysTooMuch) {
  EXPECT_TRUE(runCommandAs({}, {"yes"}, {}).isLost);
}

TEST(CommandProcess, SuppressesPrompts) {
  const std::string lines = "echo $SSH_ASKPASS_REQUIRE; [ $(cut -d' ' -f6 /proc/$$/stat) = $$ ] && echo detached; :";
  EXPECT_EQ(runLines(lines, {true, std::nullopt}).output, "never\ndetached\n");
  EXPECT_THAT(runLines(lines).output, testing::Not(testing::HasSubstr("detached")));
}

}  // namespace
}  // namespace tcpscope
