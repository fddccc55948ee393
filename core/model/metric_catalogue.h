// THE list of metrics: key, title, unit, what it counts, how to read it. Table, plot, CSV, JSON and help all follow it.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "core/model/interval_metrics.h"
#include "core/model/metric.h"
#include "core/model/socket_observation.h"

namespace tcpscope {

enum class MetricUnit : std::uint8_t {
  none,
  bytes,
  segments,
  microseconds,
  bitsPerSecond,
  ratio,
  perSecond,
  flag,
  name
};

enum class MetricKind : std::uint8_t {
  /// A value of the moment.
  gauge,
  /// Grows for the life of the connection; its change and rate are what matters.
  counter,
  /// Time since something happened: it grows with time alone and is left out when samples are compared.
  age,
};

/// What a metric is read from. `interval` is null where there is only one sample.
struct MetricSource {
  const SocketObservation& socket;
  const IntervalMetrics* interval = nullptr;
};

struct MetricRow {
  Metric metric;
  /// Key in JSON, CSV and the filter: the kernel's name with the base unit at its end ("snd_cwnd_segments").
  std::string_view key;
  std::string_view title;
  MetricUnit unit;
  MetricKind kind;
  /// What it counts, and what an absent value means.
  std::string_view explanation;
  /// What to compare it with, and what a high or a low value says.
  std::string_view reading;
  /// Value in the base unit; infinity means "without limit"; nothing means not reported.
  std::optional<double> (*read)(const MetricSource&);
};

/// One row a metric, in the order of the enumeration.
std::span<const MetricRow> metricCatalogue();

const MetricRow& metricRow(Metric metric);

/// Of a metric that is not reported, where the values of all metrics stand together.
inline constexpr double kMetricNotReported = std::numeric_limits<double>::quiet_NaN();

/// Values of all metrics in the order of the enumeration. Faster than row by row.
std::array<double, kMetricCount> readAllMetrics(const MetricSource& source);

/// Nothing where no metric has this key.
const MetricRow* findMetric(std::string_view key);

/// The text of a metric whose unit is `name` (TCP state, state of recovery); empty for others.
std::string_view metricValueName(Metric metric, double value);

}  // namespace tcpscope
