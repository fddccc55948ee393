// A network namespace of a host behind ssh, as seen on the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/support/pretended_ssh.h"
#include "tests/support/program.h"
#include "tests/support/serving_namespace.h"

namespace tcpscope {
namespace {

using testing::HasSubstr;

class RemoteNamespace : public testing::Test {
protected:
  void SetUp() override {
    if (geteuid() != 0) GTEST_SKIP() << "entering another's network namespace takes root";
    if (!m_namespace.isThere()) GTEST_SKIP() << "no network namespaces here";
    m_shell = m_ssh.shellWithNamespace("web", m_namespace.pid());
    m_ssh.runsWords(m_shell);
  }
  /// Both ends of the connection there, and no other.
  void expectItsConnection(const test::Outcome& outcome) const {
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    const auto document = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(document.at("connections").size(), 2U);
    const std::string place = document.at("places").at(0).at("network_namespace").get<std::string>();
    const std::string link = std::filesystem::read_symlink("/proc/" + m_namespace.pid() + "/ns/net").string();
    EXPECT_TRUE(place == "web" || link == "net:[" + place + "]") << place;
  }

  test::PretendedSsh m_ssh;
  test::ServingNamespace m_namespace;
  std::string m_shell;
};

TEST_F(RemoteNamespace, IsListedAsAHostIs) {
  expectItsConnection(test::runCommandLine({"list", "--json", "--from", "ssh://db1/web", "--", "state established"}));
}

TEST_F(RemoteNamespace, IsListedThroughSs) {
  m_ssh.isBareHost(m_shell);
  expectItsConnection(
      test::runCommandLine({"list", "--json", "--from", "ssh://db1/web", "--through-ss", "--", "state established"}));
}

TEST_F(RemoteNamespace, IsListedByACopyOfTheAgent) {
  m_ssh.isBareHost(m_shell);
  expectItsConnection(
      test::runCommandLine({"list", "--json", "--from", "ssh://db1/web", "--copy-agent", "--", "state established"}));
}

TEST_F(RemoteNamespace, IsNamedWhereItIsMissing) {
  for (const char* command : {"list", "watch"}) {
    const test::Outcome outcome = test::runCommandLine({command, "--from", "ssh://db1/no-such"});
    EXPECT_EQ(outcome.code, 5);
    EXPECT_THAT(outcome.error, HasSubstr("the network namespace of 'db1/no-such' cannot be entered")) << command;
  }
}

}  // namespace
}  // namespace tcpscope
