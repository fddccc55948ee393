#include "core/model/metric_catalogue.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/base/invariant.h"
#include "core/model/connection_state_rows.h"
#include "core/model/derived_rows.h"
#include "core/model/path_and_window_rows.h"
#include "core/model/recovery_and_ecn_rows.h"
#include "core/model/socket_memory_rows.h"
#include "core/model/traffic_rows.h"

namespace tcpscope {
namespace {

using Catalogue = std::array<MetricRow, kMetricCount>;

constexpr std::size_t kRowCount = std::size(metric_rows::kConnectionStateRows) +
                                  std::size(metric_rows::kPathAndWindowRows) + std::size(metric_rows::kTrafficRows) +
                                  std::size(metric_rows::kRecoveryAndEcnRows) +
                                  std::size(metric_rows::kSocketMemoryRows) + std::size(metric_rows::kDerivedRows);
static_assert(kRowCount == kMetricCount, "every metric has exactly one row");

constexpr Catalogue joinRows() {
  Catalogue all{};
  std::size_t next = 0;
  const auto append = [&](std::span<const MetricRow> rows) {
    for (const MetricRow& row : rows) all[next++] = row;
  };
  append(metric_rows::kConnectionStateRows);
  append(metric_rows::kPathAndWindowRows);
  append(metric_rows::kTrafficRows);
  append(metric_rows::kRecoveryAndEcnRows);
  append(metric_rows::kSocketMemoryRows);
  append(metric_rows::kDerivedRows);
  return all;
}

constexpr Catalogue kCatalogue = joinRows();

constexpr bool rowsAreInOrder() {
  for (std::size_t index = 0; index < kMetricCount; ++index) {
    if (kCatalogue[index].metric != static_cast<Metric>(index)) return false;
  }
  return true;
}
static_assert(rowsAreInOrder(), "the rows follow the order of the enumeration");

constexpr bool rowsAreComplete() {
  for (const MetricRow& row : kCatalogue) {
    if (row.key.empty() || row.title.empty() || row.explanation.empty() || row.reading.empty()) return false;
  }
  return true;
}
static_assert(rowsAreComplete(), "every row has a key, a title and its texts");

constexpr bool keysAreUnique() {
  for (std::size_t first = 0; first < kMetricCount; ++first) {
    for (std::size_t second = first + 1; second < kMetricCount; ++second) {
      if (kCatalogue[first].key == kCatalogue[second].key) return false;
    }
  }
  return true;
}
static_assert(keysAreUnique(), "no two metrics share a key");

/// A key ends in its base unit, or the kernel's own name already says it (bytes_acked, segs_out).
constexpr bool keyNamesUnit(const MetricRow& row) {
  switch (row.unit) {
    case MetricUnit::bytes:
      return row.key.ends_with("_bytes") || row.key.starts_with("bytes_");
    case MetricUnit::segments:
      return row.key.ends_with("_segments") || row.key.find("segs_") != std::string_view::npos;
    case MetricUnit::microseconds:
      return row.key.ends_with("_us");
    case MetricUnit::bitsPerSecond:
      return row.key.ends_with("_bps");
    case MetricUnit::ratio:
      return row.key.ends_with("_ratio");
    case MetricUnit::perSecond:
      return row.key.ends_with("_per_s");
    case MetricUnit::none:
    case MetricUnit::flag:
    case MetricUnit::name:
      break;
  }
  for (const std::string_view unit : {"_bytes", "_segments", "_us", "_ms", "_bps", "_ratio", "_s"}) {
    if (row.key.ends_with(unit)) return false;
  }
  return true;
}
static_assert(std::all_of(kCatalogue.begin(), kCatalogue.end(), keyNamesUnit), "keys end in their base unit");

/// The compiler knows each function, and puts it in place of its call.
template <std::size_t... kIndex>
std::array<double, kMetricCount> readRows(const MetricSource& source, std::index_sequence<kIndex...>) {
  return {kCatalogue[kIndex].read(source).value_or(kMetricNotReported)...};
}

}  // namespace

std::span<const MetricRow> metricCatalogue() {
  return kCatalogue;
}

const MetricRow& metricRow(Metric metric) {
  TCPSCOPE_INVARIANT(metric < Metric::count);
  return kCatalogue[static_cast<std::size_t>(metric)];
}

std::array<double, kMetricCount> readAllMetrics(const MetricSource& source) {
  return readRows(source, std::make_index_sequence<kMetricCount>());
}

const MetricRow* findMetric(std::string_view key) {
  const auto found =
      std::find_if(kCatalogue.begin(), kCatalogue.end(), [&](const MetricRow& row) { return row.key == key; });
  return found == kCatalogue.end() ? nullptr : &*found;
}

std::string_view metricValueName(Metric metric, double value) {
  if (!(value >= 0.0 && value <= 255.0)) return {};
  const auto number = static_cast<std::uint8_t>(value);
  if (metric == Metric::state) return name(tcpStateFromKernel(number));
  if (metric == Metric::caState) return name(*tcp_info::toCaState(number));
  return {};
}

}  // namespace tcpscope
