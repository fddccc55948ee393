#include "core/present/svg/axis_scale.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <span>

#include "core/present/text/quantity_text.h"

namespace tcpscope {

namespace {

constexpr double kKibi = 1024.0;
constexpr std::array<AxisUnit, 4> kRateUnits = {{{1e9, "Gbit/s"}, {1e6, "Mbit/s"}, {1e3, "kbit/s"}, {1.0, "bit/s"}}};
constexpr std::array<AxisUnit, 4> kSizeUnits = {
    {{kKibi * kKibi * kKibi, "GiB"}, {kKibi * kKibi, "MiB"}, {kKibi, "KiB"}, {1.0, "bytes"}}};
constexpr std::array<AxisUnit, 3> kDurationUnits = {{{1.0, "s"}, {1e-3, "ms"}, {1e-6, "µs"}}};
constexpr std::array<AxisUnit, 1> kShareUnits = {{{0.01, "%"}}};

std::span<const AxisUnit> unitsOf(PlotQuantity quantity) {
  switch (quantity) {
    case PlotQuantity::rate:
      return kRateUnits;
    case PlotQuantity::size:
      return kSizeUnits;
    case PlotQuantity::duration:
      return kDurationUnits;
    case PlotQuantity::share:
      break;
  }
  return kShareUnits;
}

}  // namespace

double tickStep(double largest, double steps) {
  const double rough = largest > 0.0 ? largest / steps : 0.2;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough * (1.0 - 1e-9)) return factor * power;
  }
  return 10.0 * power;
}

AxisUnit axisUnit(PlotQuantity quantity, double largest) {
  const std::span<const AxisUnit> units = unitsOf(quantity);
  for (const AxisUnit& unit : units) {
    if (largest >= unit.factor) return unit;
  }
  return units.back();
}

std::string tickLabel(double value) {
  return fmt::format("{:.4g}", value);
}

std::string formatQuantity(PlotQuantity quantity, double value) {
  switch (quantity) {
    case PlotQuantity::rate:
      return formatRate(BitsPerSecond(value));
    case PlotQuantity::size:
      return formatBytes(value);
    case PlotQuantity::duration:
      return formatTime(value);
    case PlotQuantity::share:
      break;
  }
  return formatRatio(value);
}

}  // namespace tcpscope
