// An axis of the XY mode: fitted to what it shows, with round steps in one unit, and the labels of these.
//
// It grows at once and shrinks only where the points would fill less than half of it, so that it does not jump with
// every sample.
#pragma once

#include <QString>

#include "core/model/metric_catalogue.h"

namespace tcpscope {

class XyAxis {
public:
  explicit XyAxis(MetricUnit unit) : m_unit(unit) {}

  /// Fits [smallest, largest]; from zero unless all values are far from it, and differ. NaN where nothing is shown: no
  /// change.
  void adapt(double smallest, double largest);

  [[nodiscard]] MetricUnit unit() const { return m_unit; }
  [[nodiscard]] double from() const { return m_from; }
  [[nodiscard]] double to() const { return m_to; }
  [[nodiscard]] double step() const { return m_step; }
  /// Place on the axis, 0…1 on it, and back.
  [[nodiscard]] double ratioOf(double value) const { return (value - m_from) / (m_to - m_from); }
  [[nodiscard]] double valueAt(double ratio) const { return m_from + ratio * (m_to - m_from); }
  /// Of a tick: "0.5 MiB" and "1 MiB", not "512 KiB" and "1 MiB".
  [[nodiscard]] QString label(double tick) const;

private:
  MetricUnit m_unit;
  bool m_isFitted = false;
  double m_from = 0.0;
  double m_to = 1.0;
  double m_step = 1.0;
  /// Of bytes: the binary prefix of all labels.
  std::size_t m_prefix = 0;
};

}  // namespace tcpscope
