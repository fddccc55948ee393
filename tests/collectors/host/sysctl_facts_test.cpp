#include "collectors/host/sysctl_facts.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "tests/support/network_host.h"

namespace tcpscope {
namespace {

namespace fs = std::filesystem;

TEST(SysctlFacts, AreTheFirstLinesBelowProcWithBlanksForTabs) {
  const fs::path root = fs::path(testing::TempDir()) / ("sysctl" + std::to_string(getpid()));
  fs::create_directories(root / "sys/net/ipv4");
  std::ofstream(root / "sys/net/ipv4/tcp_rmem") << "4096\t131072\t6291456\nsecond line\n";
  const SysctlValues values = sysctlValues(readSysctlFacts(root));
  fs::remove_all(root);
  EXPECT_EQ(values.text("net.ipv4.tcp_rmem"), "4096 131072 6291456");
  EXPECT_EQ(values.text("net.ipv4.tcp_wmem"), std::nullopt);
}

TEST(SysctlFacts, OfAnotherNamespaceAreItsOwn) {
  const auto host =
      test::NetworkHost::make({"10.77.0.1", 1500, {{"tcp_rmem", "4096 54321 654321"}, {"tcp_sack", "0"}}});
  if (!host) GTEST_SKIP() << "this machine gives no network namespace: " << host.error();
  const auto where = NetworkNamespace::parse(std::to_string((*host)->pid()));
  const SysctlValues values = sysctlValues(readSysctlFactsIn(*where));
  EXPECT_EQ(values.text("net.ipv4.tcp_rmem"), "4096 54321 654321");
  EXPECT_EQ(values.text("net.ipv4.tcp_sack"), "0");
  EXPECT_NE(sysctlValues(readSysctlFacts()).text("net.ipv4.tcp_rmem"), "4096 54321 654321");
}

TEST(SysctlFacts, AreEmptyForAMissingNamespace) {
  EXPECT_TRUE(readSysctlFactsIn(*NetworkNamespace::parse("no-such-namespace-here")).empty());
}

}  // namespace
}  // namespace tcpscope
