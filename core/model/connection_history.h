// The full-resolution past of one connection: every metric at every sample, in chunks that snapshots share.
//
// Bounded: when the budget is used up the oldest chunk goes. A metric that does not change within a chunk costs one
// number. A copy shares every full chunk. Of the last, growing one it has an object of its own, which knows how many
// samples there were, and shares the values: the original adds behind them, a copy that adds samples copies them first.
// So no snapshot ever sees a chunk change, and no lock is needed.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/moment.h"
#include "core/model/metric_catalogue.h"

namespace tcpscope {

inline constexpr std::size_t kChunkSamples = 128;

/// Up to kChunkSamples samples; a value that is not reported is NaN, one without limit is infinite.
class HistoryChunk {
public:
  HistoryChunk() { m_constants.fill(kMetricNotReported); }
  [[nodiscard]] std::size_t size() const { return m_times.size(); }
  [[nodiscard]] Moment time(std::size_t index) const { return m_times[index]; }
  /// In order of time.
  [[nodiscard]] const std::vector<Moment>& times() const { return m_times; }
  [[nodiscard]] double value(Metric metric, std::size_t index) const {
    const double* const all = values(metric);
    return all == nullptr ? constant(metric) : all[index];
  }
  /// One value a sample, or null where every sample has the value `constant(metric)`.
  [[nodiscard]] const double* values(Metric metric) const {
    return m_columns[static_cast<std::size_t>(metric)].values.get();
  }
  /// Meant only where values() is null; NaN where the chunk does not report the metric.
  [[nodiscard]] double constant(Metric metric) const { return m_constants[static_cast<std::size_t>(metric)]; }
  /// Smallest and largest reported value of the chunk; NaN, NaN where none is.
  [[nodiscard]] std::pair<double, double> range(Metric metric) const {
    const Column& column = m_columns[static_cast<std::size_t>(metric)];
    if (!column.values) return {constant(metric), constant(metric)};
    return {column.smallest, column.largest};
  }
  [[nodiscard]] std::size_t residentBytes() const;

private:
  friend class ConnectionHistory;
  /// What has had more than one value.
  struct Column {
    /// Space for kChunkSamples; null while every sample has the same value.
    std::shared_ptr<double[]> values;
    /// Of `values`; NaN where none is reported.
    double smallest = kMetricNotReported;
    double largest = kMetricNotReported;

    void append(std::size_t index, double value);
  };
  void append(Moment time, const std::array<double, kMetricCount>& values);
  /// The same without values in common.
  [[nodiscard]] HistoryChunk apart() const;

  std::vector<Moment> m_times;
  /// The values of the first sample. Together, since most of the next one are the same.
  std::array<double, kMetricCount> m_constants;
  std::array<Column, kMetricCount> m_columns;
  /// Those with values.
  std::bitset<kMetricCount> m_varying;
};

/// A value type: a copy never changes when the original goes on growing. May be copied and read on any thread, as long
/// as no thread appends to that very object meanwhile.
class ConnectionHistory {
public:
  explicit ConnectionHistory(std::size_t budgetBytes = 64U << 20) : m_budgetBytes(budgetBytes) {}
  ConnectionHistory(const ConnectionHistory& other);
  ConnectionHistory& operator=(const ConnectionHistory& other);
  ConnectionHistory(ConnectionHistory&& other) noexcept;
  ConnectionHistory& operator=(ConnectionHistory&& other) noexcept;
  ~ConnectionHistory() = default;

  /// Samples come in order of time; one that is not newer than the last is refused (false).
  bool append(Moment time, const MetricSource& source);
  /// The same from values of another origin, in the order of the metrics; NaN where one is not known.
  bool append(Moment time, const std::array<double, kMetricCount>& values);
  /// Drops the oldest half of the full chunks; gives the number of samples in them.
  std::size_t dropOldestHalf();
  [[nodiscard]] bool empty() const { return m_chunks.empty(); }
  [[nodiscard]] std::size_t sampleCount() const;
  [[nodiscard]] std::optional<Moment> firstTime() const;
  [[nodiscard]] std::optional<Moment> lastTime() const;
  /// In order of time, none of them empty.
  [[nodiscard]] const std::vector<std::shared_ptr<const HistoryChunk>>& chunks() const { return m_chunks; }
  /// Newest reported value at or before `time`.
  [[nodiscard]] std::optional<double> valueAt(Metric metric, Moment time) const;
  [[nodiscard]] std::size_t residentBytes() const { return m_fullChunksBytes + growingBytes(); }
  /// Of all chunks that were ever full: earlier copies also share those that were dropped since.
  [[nodiscard]] std::size_t sharedBytes() const { return m_everFullBytes; }
  /// Of the rest, which a copy has for itself but for values.
  [[nodiscard]] std::size_t growingBytes() const;

private:
  void beginChunk();
  void dropOldestOverBudget();
  void dropOldest(std::size_t chunks);

  std::size_t m_budgetBytes;
  std::vector<std::shared_ptr<const HistoryChunk>> m_chunks;
  /// The last of m_chunks, which this object alone holds.
  std::shared_ptr<HistoryChunk> m_growing;
  /// Its values are another object's, who may write to them.
  bool m_borrowsValues = false;
  std::size_t m_fullChunksBytes = 0;
  std::size_t m_everFullBytes = 0;
};

}  // namespace tcpscope
