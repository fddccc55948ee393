#include "core/present/text/calculation_text.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tcpscope {
namespace {

constexpr LossyPath kShortPath{Bytes(1448), 0.020, 0.001};

/// The text behind a label; empty where there is no such line.
std::string calculatedLine(const Calculation& calculation, std::string_view label) {
  const auto lines = linesOf(calculation);
  const auto found = std::find_if(lines.begin(), lines.end(), [&](const auto& one) { return one.label == label; });
  return found == lines.end() ? std::string() : found->text;
}

TEST(CalculationText, NamesResultAndInput) {
  EXPECT_EQ(sentence(Calculation(computeLossRates(kShortPath))),
            "At most 22.4 Mbit/s: Reno with an RTT of 20.0 ms, an MSS of 1448 bytes and one loss event in 1,000 "
            "packets.");
  EXPECT_EQ(sentence(Calculation(computeTimeoutRate({Bytes(1448), 0.020, 0.05}, 0.22))),
            "At most 1.36 Mbit/s: Reno with an RTO of 220 ms, an RTT of 20.0 ms, an MSS of 1448 bytes and a loss event "
            "ratio of 5.0 %.");
  EXPECT_EQ(sentence(Calculation(compareMtus(Bytes(1500), Bytes(9000), {}, {}, {}))),
            "An MTU of 9000 bytes instead of 1500 bytes: 6.18 times the data per packet, and where loss limits the "
            "rate, up to 6.18 times the rate.");
  EXPECT_EQ(sentence(Calculation(computeWindow(BitsPerSecond(100e6), 0.020))),
            "100 Mbit/s at an RTT of 20.0 ms takes a window of 244 KiB (250,000 bytes).");
  EXPECT_EQ(sentence(Calculation(computeWindowRate(65'536, 0.020))),
            "A window of 64.0 KiB (65,536 bytes) at an RTT of 20.0 ms allows at most 26.2 Mbit/s.");
}

TEST(CalculationText, StatesTheConstantWhereItIsNotTheUsualOne) {
  EXPECT_NE(sentence(Calculation(computeLossRates(kShortPath, 1.0))).find("(C = 1)"), std::string::npos);
  const Calculation usual = computeBudget(BitsPerSecond(100e6), 0.020, Bytes(1448));
  EXPECT_EQ(calculatedLine(usual, ""), "0.00335 % with C = 1, as the paper prints the equation: one packet in 29,809");
  EXPECT_EQ(calculatedLine(computeBudget(BitsPerSecond(100e6), 0.020, Bytes(1448), 1.0), ""), "");
}

TEST(CalculationText, WarnsWhereTimeoutsRule) {
  EXPECT_EQ(calculatedLine(computeLossRates(kShortPath), "warning"), "");
  EXPECT_EQ(calculatedLine(computeLossRates({Bytes(1448), 0.020, 0.05}), "warning"),
            "5.0 % is above 2 %, where timeouts rule: 'calc pftk' includes them");
  const Calculation slow = computeBudget(BitsPerSecond(1000), 0.020, Bytes(1448));
  EXPECT_EQ(calculatedLine(slow, "in flight"), "less than one segment of 1448 bytes");
  EXPECT_NE(calculatedLine(slow, "warning"), "");
}

TEST(CalculationText, SaysWhereNoWindowScaleIsLargeEnough) {
  EXPECT_EQ(calculatedLine(computeWindow(BitsPerSecond(1e12), 1.0), "scale"),
            "none is large enough: a shift of 14 ends at 1.00 GiB; use several connections");
  EXPECT_EQ(calculatedLine(computeWindowRate(65'535, 0.020), "scale"),
            "not necessary: up to 65,535 bytes can be advertised without");
}

TEST(CalculationText, EveryEquationHasItsSourceAndItsAssumptions) {
  const std::vector<Calculation> all = {computeLossRates(kShortPath),
                                        computeTimeoutRate(kShortPath, 0.22),
                                        computeBudget(BitsPerSecond(1e6), 0.020, Bytes(1448)),
                                        compareMtus(Bytes(1500), Bytes(9000), 0.020, 0.001, BitsPerSecond(1e9)),
                                        computeWindow(BitsPerSecond(1e6), 0.020),
                                        computeWindowRate(65'535, 0.020)};
  for (const Calculation& one : all) {
    const EquationText text = equationOf(one);
    EXPECT_FALSE(text.equation.empty() || text.source.empty() || text.assumptions.empty()) << name(one);
    // A window bounds every transfer; a model of loss does not.
    EXPECT_EQ(text.notValid.empty(), name(one) == "window");
  }
}

}  // namespace
}  // namespace tcpscope
