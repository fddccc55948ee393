#include "app/lab/engine/lab_process.h"

#include <gmock/gmock.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>

#include "tests/app/lab/running_lab.h"

namespace tcpscope::lab {
namespace {

using test::traffic;
using test::twoHosts;
using testing::ElementsAre;

using LabProcessTest = test::RunningLab;

const LinkReport& link(const LabResult& result, std::string_view name) {
  const auto& links = result.path.links;
  return *std::find_if(links.begin(), links.end(), [&](const LinkReport& one) { return one.name == name; });
}

TEST_F(LabProcessTest, StartsFromAProcessWithThreads) {
  std::atomic<bool> isOver = false;
  std::thread other([&] {
    while (!isOver) std::this_thread::yield();
  });
  start(twoHosts());
  isOver = true;
  other.join();
}

/// 0 when a user whom nothing on this machine belongs to ran a transfer.
int transferAsUnprivilegedUser() {
  constexpr unsigned kUnprivilegedUser = 65534;
  if (setgroups(0, nullptr) != 0 || setgid(kUnprivilegedUser) != 0 || setuid(kUnprivilegedUser) != 0) return 1;
  Scenario scenario = twoHosts();
  scenario.traffic = {traffic("main")};
  scenario.traffic[0].bytes = Bytes{100'000};
  const auto lab = LabProcess::start(scenario);
  if (!lab) return std::fputs((sentence(lab.error()) + "\n").c_str(), stderr), 2;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (std::chrono::steady_clock::now() < end) {
    const auto report = (*lab)->report();
    if (!report) return std::fputs((sentence(report.error()) + "\n").c_str(), stderr), 3;
    if (!report->transfers.empty() && report->transfers[0].endedAt) return report->path.deviceDrops == Count{0} ? 0 : 4;
    std::this_thread::sleep_for(Milliseconds(5));
  }
  return 5;
}

TEST_F(LabProcessTest, NeedsNoRight) {
  if (geteuid() != 0) GTEST_SKIP() << "every other test shows it, run by such a user";
  ASSERT_NO_FATAL_FAILURE(start(twoHosts()));
  if (!lab()) return;
  const pid_t child = fork();
  if (child == 0) _exit(transferAsUnprivilegedUser());
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(LabProcessTest, GivesOneAgentAHostInTheirOrder) {
  ASSERT_NO_FATAL_FAILURE(start(twoHosts()));
  if (!lab()) return;
  std::vector<std::string> hosts;
  for (const AgentPipe& agent : lab()->agents()) hosts.push_back(agent.host);
  EXPECT_THAT(hosts, ElementsAre("sender", "receiver"));
}

TEST_F(LabProcessTest, LogsEveryPacketThatThePathDropped) {
  Scenario scenario = twoHosts();
  scenario.path.path.forward.loss = BernoulliLoss{0.02};
  scenario.traffic = {traffic("main")};
  scenario.traffic[0].bytes = Bytes{2'000'000};
  ASSERT_NO_FATAL_FAILURE(start(scenario));
  if (!lab()) return;

  const LabResult result = reportWhenEnded(1);
  const auto events = lab()->events();
  const auto lost = std::count_if(events.begin(), events.end(),
                                  [](const PathEvent& event) { return event.kind == PathEventKind::randomLoss; });
  const LinkCounters& counters = link(result, "path.forward").counters;
  EXPECT_GT(counters.drops.value(), 0U);
  EXPECT_EQ(counters.drops.value(), static_cast<std::uint64_t>(lost));
  EXPECT_EQ(counters.packetsIn, counters.packetsOut + counters.drops + counters.packetsInside);
  EXPECT_EQ(result.lostEvents, Count{0});
  EXPECT_EQ(result.path.deviceDrops, Count{0});
  EXPECT_EQ(events.front().source.toString(), "10.77.0.1:20000");
}

TEST_F(LabProcessTest, ChangesThePathWhileItRuns) {
  Scenario scenario = twoHosts();
  scenario.traffic = {traffic("main")};
  ASSERT_NO_FATAL_FAILURE(start(scenario));
  if (!lab()) return;
  reportWhen([](const LabResult& report) { return link(report, "path.forward").counters.packetsOut > Count{100}; });

  scenario.path.path.forward.loss = BernoulliLoss{0.5};
  ASSERT_TRUE(lab()->change(scenario.path));
  const auto isRandomLoss = [](const PathEvent& event) { return event.kind == PathEventKind::randomLoss; };
  reportWhen([&](const LabResult&) {
    const auto events = lab()->events();
    return std::any_of(events.begin(), events.end(), isRandomLoss);
  });
}

TEST_F(LabProcessTest, RefusesOtherHostsOnARunningPath) {
  Scenario scenario = twoHosts();
  ASSERT_NO_FATAL_FAILURE(start(scenario));
  if (!lab()) return;
  scenario.path.hosts.pop_back();
  EXPECT_FALSE(lab()->change(scenario.path));
}

TEST_F(LabProcessTest, RefusesTrafficOfAnUnknownHost) {
  Scenario scenario = twoHosts();
  scenario.traffic = {traffic("main")};
  scenario.traffic[0].to = "absent";
  const auto started = LabProcess::start(scenario);
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().object.rawBytes(), "the host absent");
}

TEST_F(LabProcessTest, RefusesMoreConnectionsThanItHoldsAtOnce) {
  Scenario scenario = twoHosts();
  scenario.traffic = {traffic("main")};
  scenario.traffic[0].streams = 1'000'000;
  const auto started = LabProcess::start(scenario);
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().kind, LabErrorKind::tooMany);
}

}  // namespace
}  // namespace tcpscope::lab
