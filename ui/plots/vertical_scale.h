// The vertical scale of one trace: units per division in 1-2-5 steps and the division at which its zero lies.
//
// Bytes step by 1-2-5 within each binary prefix (1, 2, 5 … 500 KiB, 1 MiB), everything else by decimal 1-2-5. In
// automatic mode a scale grows at once and shrinks only when the trace would fill less than a third of the screen, so
// that it does not jump with every burst.
#pragma once

#include "core/model/metric_catalogue.h"

namespace tcpscope {

/// Divisions over the height of the screen.
inline constexpr int kValueDivisions = 8;

/// Smallest 1-2-5 step of the unit that is not below `value`; values at or below zero give the smallest useful step.
double unitsPerDivisionFor(MetricUnit unit, double value);
/// The step after (before) a step.
double nextUnitsPerDivision(MetricUnit unit, double step);
double previousUnitsPerDivision(MetricUnit unit, double step);

class VerticalScale {
public:
  explicit VerticalScale(MetricUnit unit);

  [[nodiscard]] MetricUnit unit() const { return m_unit; }
  [[nodiscard]] double unitsPerDivision() const { return m_unitsPerDivision; }
  [[nodiscard]] bool isAutomatic() const { return m_automatic; }
  /// Divisions from the bottom of the screen to the trace's zero.
  [[nodiscard]] double zeroDivision() const { return m_zeroDivision; }
  void setZeroDivision(double division) { m_zeroDivision = division; }

  /// Taken as the nearest step above; switches automatic mode off. A value that is not above zero is ignored.
  void setUnitsPerDivision(double units);
  void coarser();
  void finer();
  /// The next adapt() autoscales from scratch.
  void setAutomatic();
  /// In automatic mode: fits [smallest, largest], what the screen shows. NaN where nothing is shown: no change.
  void adapt(double smallest, double largest);
  /// In automatic mode: takes a neighbour's step, so that both can be compared by eye.
  void followNeighbour(double unitsPerDivision);

  /// Height on the screen in divisions from its bottom; NaN for values that are not finite.
  [[nodiscard]] double toDivisions(double value) const;
  [[nodiscard]] double fromDivisions(double division) const;

private:
  MetricUnit m_unit;
  bool m_automatic = true;
  bool m_fitted = false;
  double m_unitsPerDivision;
  double m_zeroDivision = 0.0;
};

}  // namespace tcpscope
