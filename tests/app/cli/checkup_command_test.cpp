// `checkup` on this machine: whatever it finds, every layer is told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "core/report/checkup_document.h"
#include "tests/support/built_paths.h"
#include "tests/support/json_schema.h"
#include "tests/support/program.h"

namespace tcpscope {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

TEST(CheckupCommand, TellsEveryLayerOfThisMachine) {
  const test::Outcome outcome = test::runProgram(test::commandLineProgram(), {"checkup", "--for", "0.5"});
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_THAT(outcome.out, HasSubstr("Accept queues of listeners"));
  EXPECT_THAT(outcome.out, HasSubstr(" since boot"));
  EXPECT_THAT(outcome.out, HasSubstr("Network"));
}

TEST(CheckupCommand, TellsItAsADocument) {
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
  EXPECT_EQ(outcome.error, "tcpscope-cli: there is no process 4194304, or none that this user may see\n");
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(test::runProgram(test::commandLineProgram(), {"checkup", "--pid", "-1"}).code, 2);
}

/// A check-up in a network namespace that these lines of a shell set up; 77 or 1 where it cannot be.
test::Outcome checkupAfter(const std::string& lines) {
  const std::string all = "mount -t sysfs sysfs /sys && " + lines + " || exit 77; exec " + test::commandLineProgram() +
                          " checkup --for 0.5";
  return test::runProgram("/usr/bin/unshare", {"--map-root-user", "--net", "--mount", "sh", "-c", all});
}

// A pair of veth in a namespace of its own, with a queue that is told from every other.
TEST(CheckupCommand, NamesTheQueueAndTheOffloadsOfAPairOfVeth) {
  const test::Outcome outcome = checkupAfter(
      "ip link add left0 txqueuelen 77 type veth peer name right0 && ip link set left0 up && ip link set right0 up && "
      "tc qdisc add dev left0 root pfifo");
  if (outcome.code == 77 || outcome.code == 1) GTEST_SKIP() << "no veth of one's own here: " << outcome.error;
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_THAT(outcome.out, ContainsRegex("pass +Queue discipline +left0 +pfifo, txqueuelen 77: 0 dropped now"));
  EXPECT_THAT(outcome.out, ContainsRegex("pass +Queue discipline +right0 +noqueue"));
  EXPECT_THAT(outcome.out, ContainsRegex("Offloads +left0 +all on"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("eth0"))) << "of another namespace";
}

TEST(CheckupCommand, TellsOfATunnelAndARouteThatSetsTheWindow) {
  const test::Outcome outcome = checkupAfter(
      "ip link add left0 type veth peer name right0 && ip link set left0 up && ip link set right0 up && "
      "ip address add 192.0.2.1/24 dev left0 && "
      "ip link add over0 type vxlan id 4 remote 192.0.2.2 dstport 4789 dev left0 && ip link set over0 up && "
      "ip route add 198.51.100.0/24 via 192.0.2.2 window 65535 initcwnd 3");
  if (outcome.code == 77 || outcome.code == 1) GTEST_SKIP() << "no tunnel of one's own here: " << outcome.error;
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_THAT(outcome.out, ContainsRegex("pass +Tunnel +over0 +vxlan, 1450 bytes"));
  EXPECT_THAT(outcome.out, ContainsRegex("warn +Routes that set .* 198.51.100.0/24 window 65535 initcwnd 3"));
  EXPECT_THAT(outcome.out, ContainsRegex("warn +Default route +none"));
}

}  // namespace
}  // namespace tcpscope
