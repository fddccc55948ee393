#include "core/present/json/calc_document.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/json_schema.h"

namespace tcpscope {
namespace {

using nlohmann::json;

constexpr LossyPath kPathWithLoss{Bytes(1448), 0.020, 0.001};

TEST(CalcDocument, ConformsToItsSchema) {
  const std::vector<Calculation> all = {computeLossRates(kPathWithLoss),
                                        computeTimeoutRate(kPathWithLoss, 0.22),
                                        computeBudget(BitsPerSecond(411e6), 0.020, Bytes(1460)),
                                        compareMtus(Bytes(1500), Bytes(9000), {}, {}, {}),
                                        compareMtus(Bytes(1500), Bytes(9000), 0.020, 0.001, BitsPerSecond(1e9)),
                                        computeWindow(BitsPerSecond(100e6), 0.020),
                                        computeWindow(BitsPerSecond(1e15), 3600.0),
                                        computeWindowRate(65'535, 0.020)};
  for (const Calculation& one : all) EXPECT_TRUE(test::conformsTo(calcSchema(), toJson(one))) << name(one);
}

TEST(CalcDocument, HasTheFiguresInBaseUnits) {
  const json document = json::parse(toJson(computeWindow(BitsPerSecond(100e6), 0.020)));
  EXPECT_EQ(document.at("calculation"), "window");
  EXPECT_EQ(document.at("given").at("rtt_us"), 20'000);
  EXPECT_EQ(document.at("result").at("window_bytes"), 250'000);
  EXPECT_EQ(document.at("result").at("window_scale"), 2);
}

TEST(CalcDocument, LeavesOutWhatThereIsNot) {
  EXPECT_FALSE(json::parse(toJson(computeWindowRate(1e12, 0.020))).at("result").contains("window_scale"));
  const json mtu = json::parse(toJson(compareMtus(Bytes(1500), Bytes(9000), {}, {}, {})));
  EXPECT_FALSE(mtu.at("given").contains("rtt_us"));
  EXPECT_FALSE(mtu.at("result").at("proposed").contains("mathis_rate_bps"));
}

}  // namespace
}  // namespace tcpscope
