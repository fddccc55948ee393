#include "collectors/system/kernel_counters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

namespace tcpscope {
namespace {

std::map<std::string, std::uint64_t> countersOf(std::string_view text, std::string_view protocol) {
  std::map<std::string, std::uint64_t> named;
  for (const KernelCounter& counter : kernelCounters(text, protocol)) named[std::string(counter.name)] = counter.value;
  return named;
}

TEST(KernelCounters, AreThoseOfTheProtocol) {
  constexpr std::string_view kText =
      "Ip: Forwarding InReceives\n"
      "Ip: 1 57\n"
      "Tcp: MaxConn ActiveOpens InSegs\n"
      "Tcp: -1 4 123\n"
      "TcpExt: SyncookiesSent\n"
      "TcpExt: 9\n";
  EXPECT_EQ(countersOf(kText, "Tcp:"), (std::map<std::string, std::uint64_t>{{"ActiveOpens", 4}, {"InSegs", 123}}))
      << "-1 is no counter";
  EXPECT_EQ(countersOf(kText, "TcpExt:"), (std::map<std::string, std::uint64_t>{{"SyncookiesSent", 9}}));
  EXPECT_TRUE(countersOf(kText, "Udp:").empty());
}

TEST(KernelCounters, EndWhereNamesOrValuesEnd) {
  EXPECT_EQ(countersOf("Tcp: A B\nTcp: 1\n", "Tcp:").size(), 1U);
  EXPECT_EQ(countersOf("Tcp: A\nTcp: 1 2\n", "Tcp:").size(), 1U);
  EXPECT_TRUE(countersOf("Tcp: A\n", "Tcp:").empty());
  EXPECT_TRUE(countersOf("", "Tcp:").empty());
}

TEST(KernelCounters, LeaveOutWhatIsNoNumber) {
  EXPECT_TRUE(countersOf("Tcp: A B C\nTcp: x 1x 99999999999999999999\n", "Tcp:").empty());
}

}  // namespace
}  // namespace tcpscope
