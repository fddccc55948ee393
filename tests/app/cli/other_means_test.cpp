// Hosts without tcpscope-cli, as seen on the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/present/json/connections_document.h"
#include "tests/support/json_schema.h"
#include "tests/support/loopback_connection.h"
#include "tests/support/pretended_ssh.h"
#include "tests/support/program.h"

namespace tcpscope {
namespace {

using testing::HasSubstr;

class OtherMeans : public testing::Test {
protected:
  void SetUp() override { m_ssh.isBareHost(); }

  test::PretendedSsh m_ssh;
};

TEST_F(OtherMeans, AreNamedWhereTheProgramIsMissingAndNeverTakenUnasked) {
  const test::Outcome outcome = test::runCommandLine({"list", "--from", "ssh://db1"});
  EXPECT_EQ(outcome.code, 5);
  EXPECT_THAT(outcome.error, HasSubstr("'db1' has no tcpscope-cli"));
  EXPECT_THAT(outcome.error, HasSubstr("--through-ss"));
  EXPECT_THAT(outcome.error, HasSubstr("--copy-agent"));
}

TEST_F(OtherMeans, ThroughSsADocumentSaysWhatItIsAndLeavesOutWhatIsNotKnown) {
  const test::LoopbackListener listener;
  const auto ends = listener.connect();
  const test::Outcome outcome =
      test::runCommandLine({"list", "--json", "--from", "ssh://db1", "--through-ss", "--",
                            "dport = :" + std::to_string(listener.port()) + " and state established"});
  ASSERT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_TRUE(test::conformsTo(connectionsSchema(), outcome.out));
  const auto document = nlohmann::json::parse(outcome.out);
  EXPECT_THAT(document.at("places").at(0).at("host").get<std::string>(), HasSubstr("(through ss)"));
  ASSERT_EQ(document.at("connections").size(), 1U);
  const auto& metrics = document.at("connections").at(0).at("metrics");
  EXPECT_TRUE(metrics.contains("snd_cwnd_segments"));
  EXPECT_FALSE(metrics.contains("ca_state"));
  EXPECT_FALSE(document.at("connections").at(0).contains("process"));
}

TEST_F(OtherMeans, ExcludeEachOther) {
  EXPECT_EQ(test::runCommandLine({"list", "--from", "ssh://db1", "--through-ss", "--copy-agent"}).code, 2);
}

}  // namespace
}  // namespace tcpscope
