// The marks of an axis: at round figures, with the unit that fits the largest.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tcpscope {

/// 1, 2 or 5 times a power of ten, so that `steps` of it about reach `largest`.
double tickStep(double largest, double steps = 5.0);

enum class PlotQuantity : std::uint8_t { rate, size, duration, share };

struct AxisUnit {
  /// What the figures in base units (bit/s, bytes, seconds, ratio) are divided by.
  double factor = 1.0;
  std::string_view name;
};

AxisUnit axisUnit(PlotQuantity quantity, double largest);
/// "12.5": what stands at a mark.
std::string tickLabel(double value);
/// With its unit, as sentences have it.
std::string formatQuantity(PlotQuantity quantity, double value);

}  // namespace tcpscope
