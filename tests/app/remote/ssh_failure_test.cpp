#include "app/remote/ssh_failure.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "app/remote/ssh_address.h"

namespace tcpscope {
namespace {

TEST(SshFailure, IsClassifiedByTheMessageOfSsh) {
  EXPECT_EQ(errnoOfSsh(255, "me@db1: Permission denied (publickey).\r\n"), EACCES);
  EXPECT_EQ(errnoOfSsh(255, "Host key verification failed.\r\n"), EKEYREJECTED);
  EXPECT_EQ(errnoOfSsh(255, "ssh: Could not resolve hostname db9: Name or service not known\r\n"), EADDRNOTAVAIL);
  EXPECT_EQ(errnoOfSsh(255, "ssh: connect to host db1 port 22: Connection refused\r\n"), ECONNREFUSED);
  EXPECT_EQ(errnoOfSsh(255, "ssh: connect to host db1 port 22: Connection timed out\r\n"), ETIMEDOUT);
  EXPECT_EQ(errnoOfSsh(255, "ssh: connect to host db1 port 22: No route to host\r\n"), EHOSTUNREACH);
}

TEST(SshFailure, OfTheCommandThereIsAMissingProgram) {
  EXPECT_EQ(errnoOfSsh(127, "bash: line 1: tcpscope-cli: command not found\n"), ENOPKG);
  EXPECT_EQ(errnoOfSsh(127, "zsh:1: Permission denied, or whatever a host likes to say"), ENOPKG);
}

TEST(SshFailure, OfANamespaceIsReportedByIp) {
  EXPECT_EQ(errnoOfSsh(255, "Cannot open network namespace \"web\": No such file or directory\n"), ENODEV);
  EXPECT_EQ(errnoOfSsh(255, "Cannot open network namespace \"web\": Permission denied\n"), ENODEV);
  EXPECT_EQ(errnoOfSsh(255, "setting the network namespace \"web\" failed: Operation not permitted\n"), ENODEV);
  EXPECT_EQ(errnoOfSsh(255, "exec of \"tcpscope-cli\" failed: No such file or directory\n"), ENOPKG);
}

TEST(SshFailure, IsNotGuessed) {
  EXPECT_EQ(errnoOfSsh(255, "Connection to db1 closed by remote host.\r\n"), std::nullopt);
  EXPECT_EQ(errnoOfSsh(1, "Permission denied"), std::nullopt) << "the program there said so, not ssh";
  EXPECT_EQ(errnoOfSsh(0, ""), std::nullopt);
}

TEST(SshFailure, NeedsAPersonWhereTryingAgainBringsNothing) {
  for (const int number : {EACCES, EKEYREJECTED, ENOPKG, ENODEV, 0}) EXPECT_TRUE(needsPerson(number)) << number;
  for (const int number : {ECONNRESET, ECONNREFUSED, ETIMEDOUT, EADDRNOTAVAIL, EPIPE})
    EXPECT_FALSE(needsPerson(number)) << number;
}

TEST(SshAddress, IsWhatAPersonTypesForSsh) {
  EXPECT_EQ(parseSshAddress("db1"), (SshAddress{"", "db1", ""}));
  EXPECT_EQ(parseSshAddress("root@db1"), (SshAddress{"root", "db1", ""}));
  EXPECT_EQ(parseSshAddress("db_of-the.alias:2222"), (SshAddress{"", "db_of-the.alias", "2222"}));
  EXPECT_EQ(parseSshAddress("me@example.net@db1"), (SshAddress{"me@example.net", "db1", ""}));
  EXPECT_EQ(parseSshAddress("2001:db8::1"), (SshAddress{"", "2001:db8::1", ""}));
  EXPECT_EQ(parseSshAddress("me@[fe80::1%eth0]:22"), (SshAddress{"me", "fe80::1%eth0", "22"}));
  EXPECT_EQ(parseSshAddress("me@[::1]:22/web-1"), (SshAddress{"me", "::1", "22", "web-1"}));
  EXPECT_EQ(errnoOfSsh(2, "tcpscope-cli: The following argument was not expected: --netns=all"), 0)
      << "an agent of an earlier version";
  EXPECT_TRUE(parseSshAddress("me@db1/all")->isOfEveryNamespace());
  EXPECT_FALSE(parseSshAddress("me@db1/all")->entersNamespace());
  EXPECT_FALSE(parseSshAddress("-o::a")) << "an option of ssh";
  EXPECT_FALSE(parseSshAddress("[-o::a]:22"));
}

TEST(SshAddress, IsNoOptionAndNoCommand) {
  for (const char* address : {"",
                              "-oProxyCommand=touch /tmp/x",
                              "-l",
                              "a b",
                              "host;id",
                              "$(id)",
                              "host\n",
                              "a/",
                              "/b",
                              "a/b/c",
                              "a/..",
                              "a/-b",
                              "a/$b",
                              "a/b c",
                              "a@",
                              "@b",
                              "a%3bid@host",
                              "-l@host",
                              "host:",
                              "host:0",
                              "host:99999",
                              "host:22x",
                              "[db1]",
                              "[::1"})
    EXPECT_FALSE(isSshAddress(address)) << address;
  EXPECT_FALSE(isSshAddress(std::string(256, 'a')));
}

TEST(SshAddress, StandsBehindTheScheme) {
  EXPECT_EQ(sshAddress("ssh://root@db1"), "root@db1");
  EXPECT_EQ(sshAddress("root@db1"), std::nullopt);
}

}  // namespace
}  // namespace tcpscope
