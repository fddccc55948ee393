// `checkup` on this machine: whatever it finds, it reports every layer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "core/present/json/checkup_document.h"
#include "tests/support/built_paths.h"
#include "tests/support/json_schema.h"
#include "tests/support/pretended_ssh.h"
#include "tests/support/program.h"

namespace tcpscope {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

TEST(CheckupCommand, ReportsEveryLayerOfThisMachine) {
  const test::Outcome outcome = test::runProgram(test::commandLineProgram(), {"checkup", "--for", "0.5"});
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_THAT(outcome.out, HasSubstr("Listen queue overflows"));
  EXPECT_THAT(outcome.out, HasSubstr(" since boot"));
  EXPECT_THAT(outcome.out, HasSubstr("Network"));
}

TEST(CheckupCommand, WritesADocument) {
  const test::Outcome outcome = test::runProgram(test::commandLineProgram(), {"checkup", "--for", "0.5", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_TRUE(test::conformsTo(checkupSchema(), outcome.out));
  const nlohmann::json document = nlohmann::json::parse(outcome.out);
  EXPECT_GE(document.at("window_s").get<double>(), 0.5);
  EXPECT_FALSE(document.at("checks").empty());
}

TEST(CheckupCommand, LooksAtOneProgramWhereAsked) {
  const std::string pid = std::to_string(getpid());
  const test::Outcome outcome =
      test::runProgram(test::commandLineProgram(), {"checkup", "--for", "0.5", "--pid", pid, "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_TRUE(test::conformsTo(checkupSchema(), outcome.out));
  const nlohmann::json last = nlohmann::json::parse(outcome.out).at("checks").back();
  EXPECT_EQ(last.at("layer"), "application");
  EXPECT_EQ(last.at("pid"), getpid());
}

TEST(CheckupCommand, SaysThatThereIsNoSuchProgram) {
  // Numbers end below, however many processes there are (pid_max).
  const test::Outcome outcome = test::runProgram(test::commandLineProgram(), {"checkup", "--pid", "4194304"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.error, "tcpscope-cli: process 4194304 does not exist, or this user may not see it\n");
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(test::runProgram(test::commandLineProgram(), {"checkup", "--pid", "-1"}).code, 2);
}

/// The shell's lines say 77 where they could not set it up. Any other end is the program's, and no reason to skip.
bool namespaceFailed(const test::Outcome& outcome) {
  return outcome.code == 77 || outcome.error.find("unshare:") != std::string::npos;
}

/// A check-up in a network namespace that these lines of a shell set up.
test::Outcome checkupAfter(const std::string& lines) {
  const std::string all = "mount -t sysfs sysfs /sys && " + lines + " || exit 77; exec " + test::commandLineProgram() +
                          " checkup --for 0.5";
  return test::runProgram("/usr/bin/unshare", {"--map-root-user", "--net", "--mount", "sh", "-c", all});
}

// A veth pair in a namespace of its own, with a queue length that no other interface has.
TEST(CheckupCommand, NamesTheQueueAndTheOffloadsOfAVethPair) {
  const test::Outcome outcome = checkupAfter(
      "ip link add left0 txqueuelen 77 type veth peer name right0 && ip link set left0 up && ip link set right0 up && "
      "tc qdisc add dev left0 root pfifo");
  if (namespaceFailed(outcome)) GTEST_SKIP() << "no veth of one's own here: " << outcome.error;
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_THAT(outcome.out, ContainsRegex("pass +Queue discipline +left0 +pfifo, txqueuelen 77: 0 dropped now"));
  EXPECT_THAT(outcome.out, ContainsRegex("pass +Queue discipline +right0 +noqueue"));
  EXPECT_THAT(outcome.out, ContainsRegex("Offloads +left0 +all on"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("eth0"))) << "of another namespace";
}

TEST(CheckupCommand, ReportsATunnelAndARouteThatSetsTheWindow) {
  const test::Outcome outcome = checkupAfter(
      "ip link add left0 type veth peer name right0 && ip link set left0 up && ip link set right0 up && "
      "ip address add 192.0.2.1/24 dev left0 && "
      "ip link add over0 type vxlan id 4 remote 192.0.2.2 dstport 4789 dev left0 && ip link set over0 up && "
      "ip route add 198.51.100.0/24 via 192.0.2.2 window 65535 initcwnd 3");
  if (namespaceFailed(outcome)) GTEST_SKIP() << "no tunnel of one's own here: " << outcome.error;
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_THAT(outcome.out, ContainsRegex("pass +Tunnel MTU +over0 +vxlan, 1450 bytes"));
  EXPECT_THAT(outcome.out, ContainsRegex("warn +TCP settings of routes +198.51.100.0/24 window 65535 initcwnd 3"));
  EXPECT_THAT(outcome.out, ContainsRegex("warn +Default route +none"));
}

/// A host, two routers and a server in network namespaces of their own. The server takes packets of 1400 bytes; what
/// the router before it sends is said.
test::Outcome checkupOfAPath(int lastLinkBytes) {
  constexpr std::string_view kRouters = R"({
    mount -t tmpfs none /run && ip netns add near && ip netns add far && ip netns add server &&
    ip link add left0 type veth peer name right0 netns near &&
    ip -n near link add left1 type veth peer name right1 netns far &&
    ip -n far link add left2 mtu $1 type veth peer name right2 netns server &&
    ip -n server link set right2 mtu 1400 &&
    ip address add 192.0.2.1/30 dev left0 && ip link set left0 up && ip link set lo up &&
    ip -n near address add 192.0.2.2/30 dev right0 && ip -n near link set right0 up &&
    ip -n near address add 192.0.2.5/30 dev left1 && ip -n near link set left1 up &&
    ip -n far address add 192.0.2.6/30 dev right1 && ip -n far link set right1 up &&
    ip -n far address add 192.0.2.9/30 dev left2 && ip -n far link set left2 up &&
    ip -n server address add 192.0.2.10/30 dev right2 && ip -n server link set right2 up &&
    ip route add default via 192.0.2.2 && ip -n near route add default via 192.0.2.6 &&
    ip -n far route add 192.0.2.0/30 via 192.0.2.5 && ip -n server route add default via 192.0.2.9 &&
    ip netns exec near sysctl -qw net.ipv4.ip_forward=1 && ip netns exec far sysctl -qw net.ipv4.ip_forward=1
  } >&2 || exit 77; exec "$2" checkup --for 0.5 --path 192.0.2.10)";
  return test::runProgram("/usr/bin/unshare", {"--map-root-user", "--net", "--mount", "sh", "-c", std::string(kRouters),
                                               "sh", std::to_string(lastLinkBytes), test::commandLineProgram()});
}

TEST(CheckupCommand, ProbesThePathToAHost) {
  const test::Outcome outcome = checkupOfAPath(1400);
  if (namespaceFailed(outcome)) GTEST_SKIP() << "no routers of one's own here: " << outcome.error;
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_THAT(outcome.out, ContainsRegex("pass +Hops +192.0.2.10 +3 hops, "));
  EXPECT_THAT(outcome.out, ContainsRegex(" 1  192.0.2.2 +.*\n +2  192.0.2.6 +.*\n +3  192.0.2.10 "));
  EXPECT_THAT(outcome.out,
              ContainsRegex("pass +Path MTU +192.0.2.10 +1400 bytes, reported by 192.0.2.6; 1500 on the outgoing"
                            " interface"));
}

// The router sends what fits the MTU at its end of the link, the other end drops it.
TEST(CheckupCommand, NamesAPathOnWhichLargePacketsVanish) {
  const test::Outcome outcome = checkupOfAPath(1500);
  if (namespaceFailed(outcome)) GTEST_SKIP() << "no routers of one's own here: " << outcome.error;
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_THAT(
      outcome.out,
      ContainsRegex("fail +Path MTU +192.0.2.10 +1400 bytes; packets of 1420 bytes are lost silently; 1500 on"));
  EXPECT_THAT(outcome.out, HasSubstr("net.ipv4.tcp_mtu_probing = 1"));
}

TEST(CheckupCommand, SaysThatAHostHasNoAddressOrNoRoute) {
  const test::Outcome nameless = test::runProgram(test::commandLineProgram(), {"checkup", "--path", "no.such.invalid"});
  EXPECT_EQ(nameless.code, 1);
  EXPECT_THAT(nameless.error, HasSubstr("cannot resolve 'no.such.invalid': "));
  const test::Outcome routeless = test::runProgram(
      "/usr/bin/unshare", {"--map-root-user", "--net", test::commandLineProgram(), "checkup", "--path", "192.0.2.1"});
  if (namespaceFailed(routeless)) GTEST_SKIP() << "no network namespace of one's own here: " << routeless.error;
  EXPECT_EQ(routeless.code, 5);
  EXPECT_THAT(routeless.error, HasSubstr("cannot send to 192.0.2.1: Network is unreachable"));
}

TEST(CheckupCommand, HasAnotherHostCheckItself) {
  const test::PretendedSsh ssh;
  ssh.runsWords();
  const test::Outcome outcome = test::runCommandLine({"checkup", "--from", "ssh://db1.example", "--for", "0.5"});
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_THAT(outcome.out, HasSubstr("Listen queue overflows"));
  const test::Outcome without =
      test::runCommandLine({"checkup", "--from", "ssh://db1.example", "--for", "0.5", "--pid", "4194304"});
  EXPECT_EQ(without.code, 1) << "as it is here";
  EXPECT_THAT(without.error, HasSubstr("process 4194304 does not exist"));
}

TEST(CheckupCommand, ChecksNothingThatIsNoHost) {
  const test::Outcome outcome = test::runCommandLine({"checkup", "--from", "ssh://-oProxyCommand=x"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.error, HasSubstr("is not a host to check; use --from ssh://HOST"));
  EXPECT_EQ(test::runCommandLine({"checkup", "--from", "slow.tcpscope"}).code, 2);
}

}  // namespace
}  // namespace tcpscope
