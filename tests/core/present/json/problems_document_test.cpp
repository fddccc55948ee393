#include "core/present/json/problems_document.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/json_schema.h"

namespace tcpscope {
namespace {

using nlohmann::json;

std::string documentWith(const std::vector<Problem>& problems) {
  SessionSnapshot snapshot;
  snapshot.places.emplace_back();
  return toJson(problems, snapshot, WallTime::fromNanoseconds(0));
}

Problem leakOf(std::string_view program) {
  Owner owner;
  owner.pid = 42;
  owner.processName = UntrustedText(std::string(program));
  Problem problem;
  problem.kind = ProblemKind::closeWait;
  problem.confidenceRatio = 0.95;
  problem.owner = std::make_shared<const Owner>(owner);
  problem.connections = {{PlaceId{0}, 0x1a2b}};
  problem.count = 1;
  problem.oldest = std::chrono::minutes(10);
  return problem;
}

TEST(ProblemsDocument, ConformsToItsSchema) {
  EXPECT_TRUE(test::conformsTo(problemsSchema(), documentWith({})));
  std::vector<Problem> all;
  for (std::size_t kind = 0; kind < kProblemKinds; ++kind) {
    all.push_back(leakOf("nginx"));
    all.back().kind = static_cast<ProblemKind>(kind);
    all.back().endpoint = {IpAddress::v4({192, 0, 2, 1}), 443};
    all.back().capacity = 28'232;
  }
  EXPECT_TRUE(test::conformsTo(problemsSchema(), documentWith(all)));
}

TEST(ProblemsDocument, NamesTheProgramWithoutItsControlCharacters) {
  const json problem = json::parse(documentWith({leakOf("ngi\x1bnx")})).at("problems").at(0);
  EXPECT_EQ(problem.at("subject"), "nginx (42)");
  EXPECT_EQ(problem.at("oldest_s"), 600);
  EXPECT_EQ(problem.at("kind"), "close_wait");
  EXPECT_FALSE(problem.contains("endpoint")) << "it belongs to a program, not to an endpoint";
}

}  // namespace
}  // namespace tcpscope
