// `checkup` on this machine: whatever it finds, every layer is told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/report/checkup_document.h"
#include "tests/support/built_paths.h"
#include "tests/support/json_schema.h"
#include "tests/support/program.h"

namespace tcpscope {
namespace {

using testing::HasSubstr;

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

}  // namespace
}  // namespace tcpscope
