#include <fmt/format.h>

#include <cmath>

#include "core/present/text/sentences.h"

namespace tcpscope {

namespace {

/// Sizes of packets are known by their bytes: 1448, 1500.
bool isPacketSize(Metric metric) {
  return metric == Metric::sndMss || metric == Metric::rcvMss || metric == Metric::advmss || metric == Metric::pmtu;
}

}  // namespace

std::string formatMetric(Metric metric, double value) {
  if (std::isnan(value)) return "not known";
  const MetricUnit unit = metricRow(metric).unit;
  if (std::isinf(value)) return "unlimited";
  switch (unit) {
    case MetricUnit::bytes:
      return isPacketSize(metric) ? fmt::format("{:.0f} B", value) : formatBytes(value);
    case MetricUnit::segments:
      return fmt::format("{:.0f} {}", value, value == 1.0 ? "segment" : "segments");
    case MetricUnit::microseconds:
      return formatTime(value * 1e-6);
    case MetricUnit::bitsPerSecond:
      return formatRate(BitsPerSecond(value));
    case MetricUnit::ratio:
      return formatRatio(value);
    case MetricUnit::perSecond:
      return fmt::format("{:.3g} per second", value);
    case MetricUnit::flag:
      return value != 0.0 ? "yes" : "no";
    case MetricUnit::name:
      return std::string(metricValueName(metric, value));
    case MetricUnit::none:
      break;
  }
  return fmt::format("{:.10g}", value);
}

}  // namespace tcpscope
