#include "core/host/sysctl_file.h"

#include <gtest/gtest.h>

#include <string>

namespace tcpscope {
namespace {

using namespace std::string_view_literals;

SysctlAssignment assignment(std::size_t line, std::string key, std::string value) {
  return {line, std::move(key), UntrustedText(std::move(value)), false, false};
}

TEST(SysctlFile, AssignsKeysToValues) {
  const SysctlFile file = parseSysctlFile(
      "# net.ipv4.tcp_sack = 0\n"
      "\n"
      "  ; also a comment\n"
      "net.ipv4.tcp_rmem = 4096\t131072 6291456 \n"
      "net/ipv4/tcp_sack=1\r\n"
      "kernel.core_pattern = |/bin/x %p=y # no comment");
  ASSERT_EQ(file.assignments.size(), 3U);
  EXPECT_EQ(file.assignments[0], assignment(4, "net.ipv4.tcp_rmem", "4096\t131072 6291456"));
  EXPECT_EQ(file.assignments[1], assignment(5, "net.ipv4.tcp_sack", "1"));
  EXPECT_EQ(file.assignments[2], assignment(6, "kernel.core_pattern", "|/bin/x %p=y # no comment"));
  EXPECT_EQ(file.skippedLines, 0U);
}

TEST(SysctlFile, UnderstandsADash) {
  const SysctlFile file = parseSysctlFile("-net.ipv4.tcp_sack = 1\n-net.ipv4.conf.lo.rp_filter\nnet.ipv4.tcp_ecn =\n");
  ASSERT_EQ(file.assignments.size(), 3U);
  EXPECT_TRUE(file.assignments[0].ignoresErrors);
  EXPECT_EQ(file.assignments[0].value, UntrustedText("1"));
  EXPECT_FALSE(file.assignments[1].ignoresErrors);
  EXPECT_EQ(file.assignments[1].value, std::nullopt);
  EXPECT_EQ(file.assignments[2].value, UntrustedText(""));
}

TEST(SysctlFile, KnowsPatterns) {
  const SysctlFile file = parseSysctlFile("net.ipv4.conf.*.rp_filter = 2\nnet/ipv4/conf/eth[01]/rp_filter = 1\n");
  ASSERT_EQ(file.assignments.size(), 2U);
  EXPECT_TRUE(file.assignments[0].isGlob);
  EXPECT_TRUE(file.assignments[1].isGlob);
  EXPECT_EQ(file.assignments[1].key, "net.ipv4.conf.eth[01].rp_filter");
}

TEST(SysctlFile, LeavesOutAndCountsWhatIsNoAssignment) {
  const std::string longLine = "net.ipv4.tcp_ecn = " + std::string(kLongestSysctlLine, '1');
  for (const std::string_view line :
       {"net.ipv4.tcp_sack"sv, "= 1"sv, "-"sv, "--a.b = 1"sv, "a b = 1"sv, "a.\x1b[2J = 1"sv, "a.\xc3\xa4 = 1"sv,
        "a.b = 1\0c.d = 2"sv, "a.b = 1\rc.d = 2"sv, "... = 1"sv, std::string_view(longLine)}) {
    const SysctlFile file = parseSysctlFile("x.y = 1\n" + std::string(line) + "\nx.z = 2");
    ASSERT_EQ(file.assignments.size(), 2U) << line;
    EXPECT_EQ(file.assignments[1].line, 3U);
    EXPECT_EQ(file.skippedLines, 1U);
  }
}

TEST(SysctlFile, IsBounded) {
  std::string text;
  for (std::size_t line = 0; line < kMostSysctlAssignments + 7; ++line) text += "a=\n";
  const SysctlFile file = parseSysctlFile(text);
  EXPECT_EQ(file.assignments.size(), kMostSysctlAssignments);
  EXPECT_EQ(file.skippedLines, 7U);
}

TEST(SysctlKey, HasOneForm) {
  EXPECT_EQ(canonicalSysctlKey("net.ipv4.conf.enp3s0/200.forwarding"), "net.ipv4.conf.enp3s0/200.forwarding");
  EXPECT_EQ(canonicalSysctlKey("net/ipv4/conf/enp3s0.200/forwarding"), "net.ipv4.conf.enp3s0/200.forwarding");
  EXPECT_EQ(canonicalSysctlKey("/net//ipv4/tcp_sack/"), "net.ipv4.tcp_sack");
  EXPECT_EQ(canonicalSysctlKey("vm"), "vm");
  for (const std::string_view none : {"", ".", "/a.b", "a b", "#a", "a=b"}) {
    EXPECT_EQ(canonicalSysctlKey(none), std::nullopt) << none;
  }
  EXPECT_EQ(canonicalSysctlKey(std::string(kLongestSysctlKey + 1, 'a')), std::nullopt);
}

TEST(SysctlKey, MatchesPatternsNameByName) {
  EXPECT_TRUE(sysctlKeyMatches("net.ipv4.conf.*.rp_filter", "net.ipv4.conf.eth0/7.rp_filter"));
  EXPECT_TRUE(sysctlKeyMatches("net.ipv4.tcp_?mem", "net.ipv4.tcp_rmem"));
  EXPECT_FALSE(sysctlKeyMatches("net.*", "net.ipv4.tcp_rmem"));
  EXPECT_FALSE(sysctlKeyMatches("net.ipv4.*.*", "net.ipv4.tcp_rmem"));
  EXPECT_FALSE(sysctlKeyMatches("net.ipv4.*", "net.ipv4"));
}

TEST(NamePattern, StandsForNames) {
  for (const std::string_view pattern :
       {"eth0", "*", "eth?", "e*0", "e**t*h*", "eth[0-3]", "eth[!1-9]", "eth[^a]", "[e]th0", "*[0]", "et\\h0", "***"}) {
    EXPECT_TRUE(matchesPattern(pattern, "eth0")) << pattern;
  }
  for (const std::string_view pattern :
       {"eth", "eth0?", "?", "e*1", "eth[1-3]", "eth[!0]", "\\*", "", "eth[0", "*x*"}) {
    EXPECT_FALSE(matchesPattern(pattern, "eth0")) << pattern;
  }
}

TEST(NamePattern, TakesAnIncompleteSetLiterally) {
  EXPECT_TRUE(matchesPattern("a[b", "a[b"));
  EXPECT_TRUE(matchesPattern("[]]", "]"));
  EXPECT_TRUE(matchesPattern("\\*", "*"));
  EXPECT_TRUE(matchesPattern("a\\", "a\\"));
  EXPECT_TRUE(matchesPattern("", ""));
}

TEST(NamePattern, TerminatesWithManyStars) {
  std::string pattern;
  for (int star = 0; star < 100; ++star) pattern += "*a";
  EXPECT_FALSE(matchesPattern(pattern + "b", std::string(200, 'a')));
}

}  // namespace
}  // namespace tcpscope
