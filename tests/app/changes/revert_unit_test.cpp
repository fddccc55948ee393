// With a systemd-run of the test's own, which writes down its arguments.
#include "app/changes/execute/revert_unit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace tcpscope {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::ElementsAre;

class RevertUnitTest : public ::testing::Test {
protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "tcpscope-unit-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    m_folder = pattern;
    m_manager.running = m_folder / "running";
    m_manager.run = m_folder / "systemd-run";
    m_manager.timeout = 60s;
    std::filesystem::create_directory(m_manager.running);
  }
  void TearDown() override { std::filesystem::remove_all(m_folder); }

  void managerRuns(const std::string& line) const {
    std::ofstream(m_manager.run) << "#!/bin/sh\nprintf '%s\\n' \"$@\" > " << m_folder / "arguments"
                                 << "\n"
                                 << line << "\n";
    std::filesystem::permissions(m_manager.run, std::filesystem::perms::owner_all);
  }
  [[nodiscard]] std::string arguments() const {
    std::stringstream text;
    text << std::ifstream(m_folder / "arguments").rdbuf();
    return text.str();
  }

  std::filesystem::path m_folder;
  ServiceManager m_manager;
  RevertUnit m_unit{"/usr/bin/tcpscope-cli", 60s};
};

TEST_F(RevertUnitTest, RunsTheCommandThatRevertsWhatIsOverdueAfterTheDeadline) {
  m_unit.isOfSystem = true;
  EXPECT_THAT(revertUnitWords(m_unit),
              ElementsAre("systemd-run", "--quiet", "--collect", "--description=Revert unconfirmed changes of tcpscope",
                          "--on-active=61000ms", "--timer-property=AccuracySec=100ms", "--property=StandardOutput=null",
                          "--", "/usr/bin/tcpscope-cli", "changes"));
}

TEST_F(RevertUnitTest, IsTheUsersOwnAndFindsTheJournalsAndTheNamespace) {
  m_unit.environment = {"HOME=/home/me"};
  m_unit.networkNamespace = "lab$1";
  const std::vector<std::string> words = revertUnitWords(m_unit);
  EXPECT_EQ(words.at(1), "--user");
  EXPECT_THAT(words, Contains("--setenv=HOME=/home/me"));
  EXPECT_EQ(words.back(), "--netns=lab$$1") << "systemd expands variables in a command";
}

TEST_F(RevertUnitTest, StartsWhereSystemdRuns) {
  managerRuns("exit 0");
  EXPECT_TRUE(startRevertUnit(m_unit, m_manager));
  EXPECT_THAT(arguments(), ::testing::StartsWith("--user\n--quiet\n"));
}

TEST_F(RevertUnitTest, AsksNothingWhereSystemdDoesNotRun) {
  managerRuns("exit 0");
  std::filesystem::remove(m_manager.running);
  EXPECT_FALSE(startRevertUnit(m_unit, m_manager));
  EXPECT_EQ(arguments(), "");
}

TEST_F(RevertUnitTest, DoesWithoutItWhereItIsMissingRefusedOrStalls) {
  EXPECT_FALSE(startRevertUnit(m_unit, m_manager)) << "not installed";
  managerRuns("exit 1");
  EXPECT_FALSE(startRevertUnit(m_unit, m_manager)) << "no bus, or no right";
  managerRuns("exec sleep 1000");
  m_manager.timeout = 1ms;
  EXPECT_FALSE(startRevertUnit(m_unit, m_manager)) << "no answer";
}

}  // namespace
}  // namespace tcpscope
