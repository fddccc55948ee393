// Connections of this test, closed as a user closes those of another program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/cli/exit_codes.h"
#include "tests/support/loopback_connection.h"
#include "tests/support/program.h"

namespace tcpscope {
namespace {

using test::Outcome;
using testing::HasSubstr;

class ListKill : public testing::Test {
protected:
  [[nodiscard]] std::vector<std::string> filter() const {
    return {"--", "sport", "=", ":" + std::to_string(test::portOf(m_ends.first))};
  }
  static Outcome list(std::vector<std::string> words, const std::vector<std::string>& filter = {}) {
    words.insert(words.begin(), "list");
    words.insert(words.end(), filter.begin(), filter.end());
    return test::runCommandLine(words);
  }
  /// Empty while the connection lasts.
  static std::string errorOf(const test::Descriptor& end) {
    char byte = 0;
    const ssize_t count = recv(end.number(), &byte, 1, MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return "";
    return count < 0 ? std::generic_category().message(errno) : "end";
  }

  test::LoopbackListener m_listener;
  std::pair<test::Descriptor, test::Descriptor> m_ends = m_listener.connect();
};

TEST_F(ListKill, ClosesWhatTheFilterMatches) {
  const Outcome outcome = list({"--kill", "--yes"}, filter());
  // Closing takes root's rights and a kernel with CONFIG_INET_DIAG_DESTROY; what the command says then is the reason.
  if (outcome.code == test::kMissingRight) GTEST_SKIP() << outcome.error;
  if (outcome.error.find("CONFIG_INET_DIAG_DESTROY") != std::string::npos) GTEST_SKIP() << outcome.error;
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_THAT(outcome.out, HasSubstr("1 connection closed\n"));
  EXPECT_EQ(errorOf(m_ends.first), "Software caused connection abort");
  EXPECT_EQ(errorOf(m_ends.second), "Connection reset by peer");
}

TEST_F(ListKill, ClosesNothingWithoutAnAnswer) {
  const Outcome outcome = list({"--kill"}, filter());
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.error, HasSubstr("1 connection would be closed; say --yes"));
  EXPECT_EQ(errorOf(m_ends.first), "");
}

TEST_F(ListKill, ClosesNothingWithoutAFilter) {
  const Outcome outcome = list({"--kill", "--yes"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.error, HasSubstr("--kill closes what a filter matches"));
  EXPECT_EQ(errorOf(m_ends.first), "");
}

TEST_F(ListKill, ClosesNothingElsewhere) {
  EXPECT_EQ(list({"--kill", "--yes", "--from", "ssh://db1"}, filter()).code, 2);
  EXPECT_EQ(list({"--kill", "--yes", "--netns", "all"}, filter()).code, 2);
  EXPECT_EQ(list({"--kill", "--yes", "--json"}, filter()).code, 2);
  EXPECT_EQ(list({"--yes"}, filter()).code, 2);
  EXPECT_EQ(errorOf(m_ends.first), "");
}

TEST_F(ListKill, SaysWhereNothingMatches) {
  EXPECT_EQ(list({"--kill", "--yes"}, {"--", "sport", "=", ":1"}).code, 1);
}

}  // namespace
}  // namespace tcpscope
