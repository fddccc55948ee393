#include "core/control/fixed_point.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tcpscope {
namespace {

constexpr double kUnit = 1 << kLogarithmBits;

TEST(FixedPoint, LogarithmIsRightToItsLastBits) {
  EXPECT_EQ(binaryLogarithm(0), 0);
  EXPECT_EQ(binaryLogarithm(1), 0);
  EXPECT_EQ(binaryLogarithm(1U << 31), std::uint64_t{31} << kLogarithmBits);
  for (std::uint64_t value = 1; value <= std::numeric_limits<std::uint32_t>::max(); value += 1 + value / 97) {
    const double logarithm = static_cast<double>(binaryLogarithm(narrowed(value))) / kUnit;
    ASSERT_NEAR(logarithm, std::log2(static_cast<double>(value)), 3e-7) << value;
  }
}

TEST(FixedPoint, ExponentialIsRightToOneInAMillion) {
  EXPECT_EQ(binaryExponential(0), 1U << kRatioBits);
  EXPECT_EQ(binaryExponential(std::uint64_t{32} << kLogarithmBits), 0);
  for (std::uint64_t exponent = 8U << kLogarithmBits; exponent < std::uint64_t{32} << kLogarithmBits;
       exponent += 9973) {
    const double exact = std::exp2(static_cast<double>(exponent) / kUnit) * 65536;
    ASSERT_NEAR(static_cast<double>(binaryExponential(exponent)) / exact, 1, 1e-6) << exponent;
  }
}

TEST(FixedPoint, SquareRootIsRoundedDown) {
  EXPECT_EQ(squareRoot(0), 0);
  EXPECT_EQ(squareRoot(std::numeric_limits<std::uint64_t>::max()), 0xffffffffU);
  for (std::uint64_t root = 1; root < 1U << 31; root += 1 + root / 31) {
    ASSERT_EQ(squareRoot(root * root), root);
    ASSERT_EQ(squareRoot(root * root - 1), root - 1);
    ASSERT_EQ(squareRoot(root * root + 2 * root), root);
  }
}

}  // namespace
}  // namespace tcpscope
