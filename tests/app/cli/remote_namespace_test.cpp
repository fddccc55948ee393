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
    m_ssh.runsWords();
  }
  [[nodiscard]] std::string address() const { return "ssh://db1/" + m_namespace.pid(); }
  /// Both ends of the connection there, and no other.
  void expectItsConnection(const test::Outcome& outcome) const {
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    const auto document = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(document.at("connections").size(), 2U);
    const auto inode = document.at("places").at(0).at("network_namespace").get<std::string>();
    EXPECT_EQ("net:[" + inode + "]", std::filesystem::read_symlink("/proc/" + m_namespace.pid() + "/ns/net"));
  }

  test::PretendedSsh m_ssh;
  test::ServingNamespace m_namespace;
};

TEST_F(RemoteNamespace, IsListedAsAHostIs) {
  expectItsConnection(test::runCommandLine({"list", "--json", "--from", address(), "--", "state established"}));
}

TEST_F(RemoteNamespace, IsListedThroughSs) {
  m_ssh.isBareHost();
  expectItsConnection(
      test::runCommandLine({"list", "--json", "--from", address(), "--through-ss", "--", "state established"}));
}

TEST_F(RemoteNamespace, IsListedByACopyOfTheAgent) {
  m_ssh.isBareHost();
  expectItsConnection(
      test::runCommandLine({"list", "--json", "--from", address(), "--copy-agent", "--", "state established"}));
}

TEST_F(RemoteNamespace, ThatIsNotThereIsSaid) {
  const test::Outcome outcome = test::runCommandLine({"list", "--from", "ssh://db1/no-such"});
  EXPECT_EQ(outcome.code, 5);
  EXPECT_THAT(outcome.error, HasSubstr("the network namespace of 'db1/no-such' cannot be entered"));
}

}  // namespace
}  // namespace tcpscope
