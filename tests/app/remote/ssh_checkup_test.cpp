// What is run on another host for its check-up, and what is made of its answer.
#include "app/remote/ssh_checkup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tcpscope {
namespace {

using testing::HasSubstr;

std::string thereOf(const CheckupOrder& order) {
  const std::vector<std::string> words = checkupWords(*parseSshAddress("ops@db1:2222"), SshManner::alone, order);
  const std::vector<std::string> before = sshWords(*parseSshAddress("ops@db1:2222"), SshManner::alone);
  std::string there;
  for (std::size_t word = before.size(); word < words.size(); ++word) there += (there.empty() ? "" : " ") + words[word];
  return there;
}

std::string documentOf(std::vector<CheckRow> rows) {
  return toJson(rows, std::chrono::seconds(5), WallTime());
}

TEST(SshCheckup, RunsTheCommandThere) {
  EXPECT_EQ(thereOf({}), "tcpscope-cli checkup --json --for 5.000");
  EXPECT_EQ(thereOf({std::chrono::milliseconds(500), 4711, "192.0.2.1"}),
            "tcpscope-cli checkup --json --for 0.500 --pid 4711 --path=192.0.2.1");
  EXPECT_THAT(thereOf({std::chrono::seconds(5), {}, "a; reboot"}), HasSubstr("'--path=a; reboot'"));
}

TEST(SshCheckup, ReadsTheDocumentBehindAGreeting) {
  CheckRow row;
  row.id = CheckId::acceptQueue;
  row.layer = CheckLayer::transport;
  row.status = CheckStatus::warn;
  row.during = 3;
  row.ever = 40;
  const auto checkup = checkupIn("db1", {0, "Welcome to db1\n" + documentOf({row}), ""});
  ASSERT_TRUE(checkup);
  ASSERT_EQ(checkup->rows.size(), 1U);
  EXPECT_EQ(checkup->rows.front().during, 3U);
  EXPECT_EQ(checkup->window, std::chrono::seconds(5));
}

TEST(SshCheckup, SaysWhyThereIsNone) {
  EXPECT_THAT(checkupIn("db1", {127, "", "sh: tcpscope-cli: not found"}).error(),
              HasSubstr("install tcpscope-cli on db1"));
  EXPECT_THAT(checkupIn("db1", {255, "", "ops@db1: Permission denied (publickey)."}).error(), HasSubstr("refused"));
  EXPECT_EQ(checkupIn("db1", {255, "", ""}).error(), "ssh could not connect to db1");
  EXPECT_EQ(checkupIn("db1", {1, "", "motd\ntcpscope-cli: process 7 does not exist\n"}).error(),
            "cannot check db1: process 7 does not exist");
  EXPECT_THAT(checkupIn("db1", {0, "{}", ""}).error(), HasSubstr("of another version"));
  EXPECT_THAT(checkupIn("db1", {}).error(), HasSubstr("did not answer in time"));
  EXPECT_EQ(checkupIn("d\x1b[31mb", {255, "", ""}).error().find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace tcpscope
