// What a numeric meter shows of one metric: newest value, change since the sample before, and an average that forgets
// older samples as fast as the smoothing factor says.
#pragma once

#include <optional>

#include "core/model/connection_history.h"

namespace tcpscope {

class MeterReading {
public:
  explicit MeterReading(Metric metric) : m_metric(metric) {}

  /// Weight of the newest sample in the average, above 0 and up to 1 (no smoothing). Starts the average again.
  void setSmoothing(double factor);
  /// Takes in the samples that are newer than the last one seen; all of them where the history ends before that.
  void update(const ConnectionHistory& history);
  void clear();

  [[nodiscard]] Metric metric() const { return m_metric; }
  [[nodiscard]] std::optional<double> value() const { return m_value; }
  [[nodiscard]] std::optional<double> change() const { return m_change; }
  [[nodiscard]] std::optional<double> average() const { return m_average; }

private:
  void take(double value);

  Metric m_metric;
  double m_factor = 0.1;
  std::optional<Moment> m_seenUntil;
  std::optional<double> m_value;
  std::optional<double> m_change;
  std::optional<double> m_average;
};

}  // namespace tcpscope
