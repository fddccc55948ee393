// Calculations against the figures that the papers and RFCs print.
#include "core/advice/calculation.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tcpscope {
namespace {

constexpr Bytes kUsualMss{1448};

TEST(Calculation, GivesTheLossBudgetOfTheWeb100Paper) {
  // Section 1.1: 411 Mbit/s over 20 ms take "approximately 0.00018 %". In segments of 1460 bytes, those of the SYN in
  // section 4.2, the equation gives (1460 * 8 / (411e6 * 0.02))^2 = 2.02e-6: two packets in a million, not in 100,000.
  const BudgetCalculation calculation = computeBudget(BitsPerSecond(411e6), 0.020, Bytes(1460));
  EXPECT_NEAR(calculation.asPrinted.lossEventRatio, 1.8e-6, 0.25e-6);
  EXPECT_NEAR(calculation.asPrinted.lossEventRatio, 2.019e-6, 0.001e-6);
  EXPECT_NEAR(calculation.asPrinted.packetsBetween, 495'300, 500);
  // C = sqrt(3/2) tolerates one and a half times as much.
  EXPECT_NEAR(calculation.budget.lossEventRatio / calculation.asPrinted.lossEventRatio, 1.5, 0.001);
}

TEST(Calculation, InvertsEquationOneByEquationTwo) {
  const BudgetCalculation budget = computeBudget(BitsPerSecond(100e6), 0.040, kUsualMss, 1.0);
  const LossRates rates = computeLossRates({kUsualMss, 0.040, budget.budget.lossEventRatio}, 1.0);
  EXPECT_NEAR(rates.mathis.value(), 100e6, 1.0);
}

TEST(Calculation, MultipliesTheRateByTheMtuAsTheWeb100PaperSays) {
  // Section 1.1: 9000 instead of 1500 bytes "by a factor of six", 4470 "by a factor of three".
  EXPECT_NEAR(compareMtus(Bytes(1500), Bytes(9000), {}, {}, {}).growth(), 6.0, 0.2);
  EXPECT_NEAR(compareMtus(Bytes(1500), Bytes(4470), {}, {}, {}).growth(), 3.0, 0.1);
  const MtuComparison mtus = compareMtus(Bytes(1500), Bytes(9000), 0.020, 0.001, {});
  EXPECT_DOUBLE_EQ(mtus.proposed.mathis->value() / mtus.current.mathis->value(), mtus.growth());
  EXPECT_FALSE(mtus.current.packetsPerSecond);
}

TEST(Calculation, CountsThePacketsOfAGigabitAsTheWeb100PaperDoes) {
  // Section 1.3: "over 83,000 packets per second" of 1500 bytes.
  const MtuComparison mtus = compareMtus(Bytes(1500), Bytes(9000), {}, {}, BitsPerSecond(1e9));
  EXPECT_NEAR(*mtus.current.packetsPerSecond, 83'333.3, 0.1);
  EXPECT_NEAR(*mtus.proposed.packetsPerSecond, 13'888.9, 0.1);
  EXPECT_FALSE(mtus.current.mathis);
}

TEST(Calculation, GivesTheRateEquationsOfTheAutoTuningPapers) {
  // Streams × 214, 467, 355 / delay in ms, in Mbit/s: windows of 26.8, 58.4 and 44.4 kB per RTT.
  constexpr double kDelayMs = 50.0;
  const auto factorOf = [](double windowBytes) {
    return computeWindowRate(windowBytes, kDelayMs / 1e3).rate.value() / 1e6 * kDelayMs;
  };
  EXPECT_NEAR(factorOf(26'800), 214, 0.5);
  EXPECT_NEAR(factorOf(58'400), 467, 0.5);
  EXPECT_NEAR(factorOf(44'400), 355, 0.5);
}

TEST(Calculation, GivesEveryModelItsOwnRate) {
  const LossyPath path{kUsualMss, 0.100, 1e-5};
  const LossRates rates = computeLossRates(path);
  // RFC 9438 and RFC 3649: Reno 379 segments of 1.2 / sqrt(p), CUBIC 1054, HighSpeed TCP 1795.
  EXPECT_NEAR(rates.mathis.value(), 1.2247 / std::sqrt(1e-5) * 1448 * 8 / 0.1, 1.0);
  EXPECT_NEAR(rates.cubic.value() / (1054.0 * 1448 * 8 / 0.1), 1.0, 0.005);
  EXPECT_NEAR(rates.highspeed.value() / (1795.0 * 1448 * 8 / 0.1), 1.0, 0.005);
  const TimeoutRate timeouts = computeTimeoutRate(path, usualTimeoutSeconds(path.rttSeconds));
  EXPECT_DOUBLE_EQ(timeouts.timeoutSeconds, 0.3);
  EXPECT_DOUBLE_EQ(timeouts.mathis.value(), rates.mathis.value());
  EXPECT_LT(timeouts.pftk.value(), timeouts.mathis.value());
}

TEST(Calculation, SizesTheWindowOfARate) {
  // 100 Mbit/s over 20 ms: 250,000 bytes; 65,535 bytes shifted by 2 hold them; two windows in whole 64 KiB.
  const WindowOfRate window = computeWindow(BitsPerSecond(100e6), 0.020);
  EXPECT_DOUBLE_EQ(window.windowBytes, 250'000);
  EXPECT_EQ(window.windowScale, Count(2));
  EXPECT_EQ(window.buffer, Bytes(524'288));
  EXPECT_NEAR(window.rateUnscaled.value(), 26.214e6, 1.0);
  EXPECT_EQ(computeWindow(BitsPerSecond(10e6), 0.020).windowScale, Count(0));
}

TEST(Calculation, KnowsThatNoWindowIsLargerThanAGibibyte) {
  constexpr double kLargest = 65'535.0 * 16'384.0;
  EXPECT_EQ(computeWindowRate(kLargest, 1.0).windowScale, Count(14));
  EXPECT_EQ(computeWindowRate(kLargest + 1.0, 1.0).windowScale, std::nullopt);
  const WindowOfRate tooLarge = computeWindow(BitsPerSecond(1e12), 1.0);
  EXPECT_EQ(tooLarge.windowScale, std::nullopt);
  EXPECT_EQ(tooLarge.buffer, std::nullopt);
}

}  // namespace
}  // namespace tcpscope
