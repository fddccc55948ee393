// The desktop's demos: real labs where this machine has them, the bundled recording everywhere.
#include "app/desktop/lab_demo.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/desktop/demo_waiting.h"
#include "tests/app/lab/marked_processes.h"

namespace tcpscope {
namespace {

using test::comesTrue;
using test::numberOf;
using test::settled;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> hostsShown(const SessionPort& shown) {
  std::vector<std::string> hosts;
  const auto snapshot = shown.latest();
  if (!snapshot) return hosts;
  for (const Place& place : snapshot->places) hosts.push_back(place.host.rawBytes());
  return hosts;
}

class LabDemoTest : public testing::Test {
protected:
  /// Skips the test where this machine cannot have labs.
  void startLab(LabDemo& demo, std::string_view name) {
    demo.start(numberOf(demo, name));
    const DemoState state = settled(demo);
    if (state.phase == DemoPhase::failed) GTEST_SKIP() << state.notice;
    ASSERT_EQ(state.phase, DemoPhase::running);
  }

  test::RecordingPort m_home;
  SwitchedSession m_shown{m_home};
};

TEST_F(LabDemoTest, ShowsBothHostsAndFindsTheTruth) {
  LabDemo demo(m_shown, {});
  startLab(demo, kDefaultDemo);
  if (IsSkipped()) return;
  EXPECT_TRUE(demo.state().main);
  EXPECT_EQ(demo.state().notice, "");
  ASSERT_TRUE(comesTrue([&] { return demo.state().verdict.find("agree") != std::string::npos; }))
      << demo.state().verdict;
  EXPECT_THAT(hostsShown(m_shown), ElementsAre("sender", "receiver"));
}

TEST_F(LabDemoTest, JudgesAConnectionThatThePeerNeverSees) {
  LabDemo demo(m_shown, {});
  startLab(demo, "unanswered_syn");
  if (IsSkipped()) return;
  EXPECT_TRUE(comesTrue([&] { return demo.state().verdict.find("agree") != std::string::npos; }))
      << demo.state().verdict;
}

TEST_F(LabDemoTest, StartsWithoutWaitingForTheLab) {
  LabDemo demo(m_shown, {});
  demo.start(0);
  EXPECT_EQ(demo.state().phase, DemoPhase::starting);
  EXPECT_EQ(m_shown.latest(), nullptr);
}

TEST_F(LabDemoTest, GoesBackToTheHostAtTheEnd) {
  auto ofHost = std::make_shared<SessionSnapshot>();
  m_home.snapshot = ofHost;
  LabDemo demo(m_shown, {});
  startLab(demo, kDefaultDemo);
  if (IsSkipped()) return;
  EXPECT_NE(m_shown.latest(), ofHost);
  SessionControl wanted;
  wanted.keepClosed = false;
  m_shown.setControl(wanted);
  demo.stop();
  EXPECT_EQ(demo.state().phase, DemoPhase::none);
  EXPECT_EQ(m_shown.latest(), ofHost);
  EXPECT_FALSE(m_home.wanted.keepClosed);
  EXPECT_THAT(m_home.wanted.followed, IsEmpty());
}

TEST_F(LabDemoTest, AnotherDemoHasPlacesOfItsOwn) {
  LabDemo demo(m_shown, {});
  startLab(demo, kDefaultDemo);
  if (IsSkipped()) return;
  ASSERT_TRUE(comesTrue([&] { return m_shown.latest() != nullptr; }));
  const PlaceId before = m_shown.latest()->places.front().id;
  startLab(demo, "healthy");
  ASSERT_TRUE(comesTrue([&] { return m_shown.latest() != nullptr; }));
  EXPECT_GT(m_shown.latest()->places.front().id, before);
}

TEST_F(LabDemoTest, LeavesNoProcess) {
  const std::string mark = test::markEnvironment();
  {
    LabDemo demo(m_shown, {});
    startLab(demo, kDefaultDemo);
    if (IsSkipped()) return;
    EXPECT_FALSE(test::processesWith(mark).empty());
    demo.stop();
    EXPECT_TRUE(comesTrue([&] { return test::processesWith(mark).empty(); }));
    demo.start(0);
    // Ends while it starts.
  }
  EXPECT_TRUE(comesTrue([&] { return test::processesWith(mark).empty(); }));
}

TEST_F(LabDemoTest, SaysWhenTheLabHasEnded) {
  const std::string mark = test::markEnvironment();
  LabDemo demo(m_shown, {});
  startLab(demo, kDefaultDemo);
  if (IsSkipped()) return;
  for (const test::MarkedProcess& process : test::processesWith(mark)) {
    if (process.name == "lab-path") kill(process.pid, SIGKILL);
  }
  EXPECT_TRUE(comesTrue([&] { return demo.state().phase == DemoPhase::failed; }));
  EXPECT_THAT(demo.state().notice, HasSubstr("ended"));
  EXPECT_EQ(m_shown.latest(), nullptr);
}

TEST_F(LabDemoTest, PlaysTheRecordingWhereNamespacesAreDenied) {
  const DemoSources sources = test::sourcesWithoutLab();
  ASSERT_EQ(sources.recordings.size(), 2U);
  LabDemo demo(m_shown, sources);
  demo.start(numberOf(demo, "healthy"));
  const DemoState state = settled(demo);
  ASSERT_EQ(state.phase, DemoPhase::running) << state.notice;
  EXPECT_EQ(state.scenario, numberOf(demo, kDefaultDemo));
  EXPECT_THAT(state.notice, HasSubstr("a recording plays"));
  EXPECT_THAT(state.notice, HasSubstr("user.max_user_namespaces"));
  ASSERT_TRUE(comesTrue([&] { return demo.state().verdict.find("agree") != std::string::npos; }))
      << demo.state().verdict;
  EXPECT_THAT(hostsShown(m_shown), ElementsAre("receiver", "sender"));
}

TEST_F(LabDemoTest, SaysWhyWhereThereIsNoRecordingEither) {
  DemoSources sources = test::sourcesWithoutLab();
  sources.recordings.clear();
  LabDemo demo(m_shown, sources);
  demo.start(0);
  const DemoState state = settled(demo);
  EXPECT_EQ(state.phase, DemoPhase::failed);
  EXPECT_THAT(state.notice, HasSubstr("sudo sysctl -w"));
}

TEST_F(LabDemoTest, SaysThatARecordingCannotBeRead) {
  DemoSources sources = test::sourcesWithoutLab();
  sources.recordings = {"/nonexistent.tcpscope"};
  LabDemo demo(m_shown, sources);
  demo.start(0);
  const DemoState state = settled(demo);
  EXPECT_EQ(state.phase, DemoPhase::failed);
  EXPECT_THAT(state.notice, HasSubstr("nonexistent"));
}

}  // namespace
}  // namespace tcpscope
