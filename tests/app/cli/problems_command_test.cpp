// `problems` with real sockets: its exit codes are what monitoring acts on.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/present/json/problems_document.h"
#include "tests/support/json_schema.h"
#include "tests/support/loopback_connection.h"
#include "tests/support/program.h"

namespace tcpscope {
namespace {

using test::LoopbackListener;
using test::Outcome;

Outcome problemsAt(const LoopbackListener& listener, std::vector<std::string> options = {}) {
  std::vector<std::string> words = {"problems", "--for", "0.5"};
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {"--", "sport = :" + std::to_string(listener.port())});
  return test::runCommandLine(words);
}

TEST(ProblemsCommand, AFullAcceptQueueExitsWithOne) {
  const LoopbackListener listener(AF_INET, 1);
  // The queue takes one more than the backlog.
  const auto first = listener.waitingClient();
  const auto second = listener.waitingClient();
  const Outcome outcome = problemsAt(listener);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.out.find("accept queue full"), std::string::npos) << outcome.out;
  const Outcome document = problemsAt(listener, {"--json"});
  EXPECT_EQ(document.code, 1);
  EXPECT_TRUE(test::conformsTo(problemsSchema(), document.out));
  EXPECT_EQ(nlohmann::json::parse(document.out).at("problems").at(0).at("kind"), "accept_queue_overflow");
}

TEST(ProblemsCommand, NoneExitsWithZero) {
  const LoopbackListener listener;
  const Outcome outcome = problemsAt(listener);
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_EQ(outcome.out, "No problems.\n");
}

}  // namespace
}  // namespace tcpscope
