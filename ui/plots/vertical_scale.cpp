#include "ui/plots/vertical_scale.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tcpscope {

namespace {

constexpr std::array<double, 9> kMantissas = {1, 2, 5, 10, 20, 50, 100, 200, 500};
/// No trace needs a division below this many units; a flag or a state is a whole number.
double smallestStep(MetricUnit unit) {
  switch (unit) {
    case MetricUnit::ratio:
      return 0.001;
    case MetricUnit::none:
    case MetricUnit::perSecond:
      return 0.1;
    default:
      return 1.0;
  }
}

double prefixFactor(MetricUnit unit) {
  return unit == MetricUnit::bytes ? 1024.0 : 1000.0;
}

/// Above this a step has no meaning for any metric (2^60 bytes, 10^18 of the rest).
constexpr int kLargestPrefix = 6;
/// Share of the screen's height below which an automatic scale shrinks.
constexpr double kShrinkBelow = 1.0 / 3.0;
/// What lies further outside would overflow the plot's pixel arithmetic.
constexpr double kFarOutside = 1000.0;

}  // namespace

double unitsPerDivisionFor(MetricUnit unit, double value) {
  const double smallest = smallestStep(unit);
  if (!(value > smallest)) return smallest;
  // A little slack, so that a step is its own step in spite of rounding.
  const double wanted = value * (1.0 - 1e-9);
  for (double fraction = smallest; fraction < 1.0; fraction *= 10.0) {
    for (const double mantissa : {1.0, 2.0, 5.0}) {
      if (mantissa * fraction >= wanted) return mantissa * fraction;
    }
  }
  double prefix = 1.0;
  for (int power = 0; power <= kLargestPrefix; ++power, prefix *= prefixFactor(unit)) {
    for (const double mantissa : kMantissas) {
      if (mantissa * prefix >= wanted) return mantissa * prefix;
    }
  }
  return kMantissas.back() * prefix / prefixFactor(unit);
}

double nextUnitsPerDivision(MetricUnit unit, double step) {
  return unitsPerDivisionFor(unit, step * 1.01);
}

double previousUnitsPerDivision(MetricUnit unit, double step) {
  // Neighbours differ by a factor of 2 to 2.5: 0.4 lies between the one before and the one before that.
  return unitsPerDivisionFor(unit, step * 0.39);
}

VerticalScale::VerticalScale(MetricUnit unit) : m_unit(unit), m_unitsPerDivision(smallestStep(unit)) {}

void VerticalScale::setUnitsPerDivision(double units) {
  if (!(units > 0.0)) return;
  m_automatic = false;
  m_unitsPerDivision = unitsPerDivisionFor(m_unit, units);
}

void VerticalScale::coarser() {
  setUnitsPerDivision(nextUnitsPerDivision(m_unit, m_unitsPerDivision));
}

void VerticalScale::finer() {
  setUnitsPerDivision(previousUnitsPerDivision(m_unit, m_unitsPerDivision));
}

void VerticalScale::setAutomatic() {
  m_automatic = true;
  m_fitted = false;
}

void VerticalScale::adapt(double smallest, double largest) {
  if (!m_automatic || std::isnan(smallest) || std::isnan(largest)) return;
  const double above = kValueDivisions - m_zeroDivision;
  const double below = std::max(m_zeroDivision, 0.5);
  const double needed = std::max(largest / above, -smallest / below);
  const bool tooSmall = needed > m_unitsPerDivision;
  const bool tooLarge = needed < m_unitsPerDivision * kShrinkBelow;
  if (m_fitted && !tooSmall && !tooLarge) return;
  m_unitsPerDivision = unitsPerDivisionFor(m_unit, needed);
  m_fitted = true;
}

void VerticalScale::followNeighbour(double unitsPerDivision) {
  if (m_automatic) m_unitsPerDivision = unitsPerDivision;
}

double VerticalScale::toDivisions(double value) const {
  if (!std::isfinite(value)) return std::numeric_limits<double>::quiet_NaN();
  return std::clamp(m_zeroDivision + value / m_unitsPerDivision, -kFarOutside, kFarOutside);
}

double VerticalScale::fromDivisions(double division) const {
  return (division - m_zeroDivision) * m_unitsPerDivision;
}

}  // namespace tcpscope
