// The full-resolution past of one connection: every metric at every sample, in immutable chunks that snapshots share.
//
// Bounded: when the budget is used up the oldest chunk goes. Columns that do not change within a chunk cost one number.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/moment.h"
#include "core/metric/metric_catalogue.h"

namespace tcpscope {

inline constexpr std::size_t kChunkSamples = 128;

/// Up to kChunkSamples samples; a value that is not reported is NaN.
class HistoryChunk {
public:
  [[nodiscard]] std::size_t size() const { return m_times.size(); }
  [[nodiscard]] Moment time(std::size_t index) const { return m_times[index]; }
  [[nodiscard]] double value(Metric metric, std::size_t index) const;
  /// Smallest and largest reported value of the chunk; NaN, NaN where none is.
  [[nodiscard]] std::pair<double, double> range(Metric metric) const;
  [[nodiscard]] std::size_t residentBytes() const;

private:
  friend class ConnectionHistory;
  struct Column {
    /// One value for all, or one a sample.
    std::vector<double> values;
    double smallest = 0.0;
    double largest = 0.0;
  };
  void append(Moment time, const std::array<double, kMetricCount>& values);

  std::vector<Moment> m_times;
  std::array<Column, kMetricCount> m_columns;
};

/// A value type: copying it shares the chunks. append() never changes a chunk that a copy can see.
class ConnectionHistory {
public:
  explicit ConnectionHistory(std::size_t budgetBytes = 64U << 20) : m_budgetBytes(budgetBytes) {}

  /// Samples come in order of time; one that is not newer than the last is refused (false).
  bool append(Moment time, const MetricSource& source);
  [[nodiscard]] bool empty() const { return m_chunks.empty(); }
  [[nodiscard]] std::size_t sampleCount() const;
  [[nodiscard]] std::optional<Moment> firstTime() const;
  [[nodiscard]] std::optional<Moment> lastTime() const;
  [[nodiscard]] const std::vector<std::shared_ptr<const HistoryChunk>>& chunks() const { return m_chunks; }
  /// Newest reported value at or before `time`.
  [[nodiscard]] std::optional<double> valueAt(Metric metric, Moment time) const;
  [[nodiscard]] std::size_t residentBytes() const;

private:
  std::size_t m_budgetBytes;
  std::vector<std::shared_ptr<const HistoryChunk>> m_chunks;
};

}  // namespace tcpscope
