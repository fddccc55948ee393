// However a lab ends, nothing of it stays.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>

#include <csignal>
#include <functional>
#include <random>
#include <thread>

#include "app/lab/engine/lab_process.h"
#include "core/present/text/lab_text.h"
#include "tests/app/lab/lab_scenario.h"
#include "tests/app/lab/marked_processes.h"

namespace tcpscope::lab {
namespace {

using std::chrono::steady_clock;
using test::MarkedProcess;
using test::processesWith;
using testing::IsEmpty;

constexpr auto kDeadline = std::chrono::seconds(30);

bool waitUntil(const std::function<bool()>& isReached) {
  const auto end = steady_clock::now() + kDeadline;
  while (!isReached()) {
    if (steady_clock::now() > end) return false;
    std::this_thread::sleep_for(Milliseconds(2));
  }
  return true;
}

std::vector<std::string> namesOf(const std::vector<MarkedProcess>& processes) {
  std::vector<std::string> names;
  names.reserve(processes.size());
  for (const MarkedProcess& process : processes) names.push_back(process.name);
  return names;
}

std::optional<MarkedProcess> processNamed(const std::string& mark, const std::string& name) {
  for (const MarkedProcess& process : processesWith(mark)) {
    if (process.name == name) return process;
  }
  return std::nullopt;
}

/// Waits for it: a process has its name a moment after it was forked.
std::optional<MarkedProcess> awaitNamed(const std::string& mark, const std::string& name) {
  std::optional<MarkedProcess> found;
  waitUntil([&] { return (found = processNamed(mark, name)).has_value(); });
  return found;
}

Scenario busyScenario() {
  Scenario scenario = test::twoHosts();
  scenario.traffic = {test::traffic("busy")};
  return scenario;
}

bool machineHasLabs() {
  static const bool has = [] {
    const auto lab = LabProcess::start(busyScenario());
    return lab || lab.error().kind != LabErrorKind::noUserNamespaces;
  }();
  return has;
}

/// A process that owns a lab until it is killed.
class Owner {
public:
  Owner() : m_mark(test::markEnvironment()) {
    m_process = fork();
    if (m_process != 0) return;
    const auto lab = LabProcess::start(busyScenario());
    while (true) pause();
  }
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;
  ~Owner() { killNow(); }

  void killNow() {
    if (m_process <= 0) return;
    kill(m_process, SIGKILL);
    waitpid(m_process, nullptr, 0);
    m_process = -1;
  }
  /// Of its lab; not itself.
  [[nodiscard]] std::vector<MarkedProcess> labProcesses() const { return processesWith(m_mark); }
  [[nodiscard]] bool awaitEmptiness() const {
    return waitUntil([this] { return labProcesses().empty(); });
  }

private:
  std::string m_mark;
  pid_t m_process = -1;
};

TEST(LabEnd, ComesWithTheOwnersObject) {
  if (!machineHasLabs()) GTEST_SKIP() << "no user namespaces here";
  const std::string mark = test::markEnvironment();
  {
    const auto lab = LabProcess::start(busyScenario());
    ASSERT_TRUE(lab) << sentence(lab.error());
    for (const char* name : {"lab-path", "lab-agent", "busy-recv", "busy-send"})
      EXPECT_TRUE(awaitNamed(mark, name)) << name;
  }
  EXPECT_THAT(namesOf(processesWith(mark)), IsEmpty());
}

TEST(LabEnd, IsReportedToTheOwnerWhenThePathIsKilled) {
  if (!machineHasLabs()) GTEST_SKIP() << "no user namespaces here";
  const std::string mark = test::markEnvironment();
  const auto lab = LabProcess::start(busyScenario());
  ASSERT_TRUE(lab) << sentence(lab.error());
  const auto victim = awaitNamed(mark, "lab-path");
  ASSERT_TRUE(victim);
  kill(victim->pid, SIGKILL);
  EXPECT_TRUE(waitUntil([&] { return processesWith(mark).empty(); }));
  const auto report = (*lab)->report();
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().kind, LabErrorKind::engineEnded);
}

TEST(LabEnd, OutlivesAProgramOfItsTraffic) {
  if (!machineHasLabs()) GTEST_SKIP() << "no user namespaces here";
  const std::string mark = test::markEnvironment();
  const auto lab = LabProcess::start(busyScenario());
  ASSERT_TRUE(lab) << sentence(lab.error());
  const auto victim = awaitNamed(mark, "busy-send");
  ASSERT_TRUE(victim);
  kill(victim->pid, SIGKILL);
  EXPECT_TRUE(waitUntil([&] { return !processNamed(mark, "busy-send"); }));
  EXPECT_TRUE((*lab)->report());
}

TEST(LabEnd, LeavesNothingWhenTheOwnerIsKilledAtAnyMoment) {
  if (!machineHasLabs()) GTEST_SKIP() << "no user namespaces here";
  std::mt19937 random(2026);
  std::uniform_int_distribution<int> microseconds(0, 150'000);
  for (int round = 0; round < 40; ++round) {
    Owner owner;
    std::this_thread::sleep_for(Microseconds(microseconds(random)));
    owner.killNow();
    ASSERT_TRUE(owner.awaitEmptiness()) << testing::PrintToString(namesOf(owner.labProcesses()));
  }
}

TEST(LabEnd, LeavesNothingWhenAnyProcessOfTheLabIsKilledAtAnyMoment) {
  if (!machineHasLabs()) GTEST_SKIP() << "no user namespaces here";
  std::mt19937 random(1997);
  std::uniform_int_distribution<int> microseconds(0, 150'000);
  for (int round = 0; round < 40; ++round) {
    Owner owner;
    std::this_thread::sleep_for(Microseconds(microseconds(random)));
    std::vector<MarkedProcess> processes;
    ASSERT_TRUE(waitUntil([&] { return !(processes = owner.labProcesses()).empty(); }));
    std::uniform_int_distribution<std::size_t> any(0, processes.size() - 1);
    const std::size_t number = any(random);
    const MarkedProcess victim = processes[number];
    kill(victim.pid, SIGKILL);
    // Without its first two processes or its path there is no lab; without another, the owner still ends it.
    const bool endsAtOnce = number < 2 || victim.name == "lab-path";
    if (!endsAtOnce) owner.killNow();
    ASSERT_TRUE(owner.awaitEmptiness()) << victim.name << testing::PrintToString(namesOf(owner.labProcesses()));
  }
}

}  // namespace
}  // namespace tcpscope::lab
