#include "core/model/downsample.h"

#include <algorithm>
#include <cmath>

namespace tcpscope {
namespace {

using ChunkPointer = std::shared_ptr<const HistoryChunk>;

/// First chunk that ends at or after `from`.
auto firstChunkAt(const std::vector<ChunkPointer>& chunks, Moment from) {
  return std::lower_bound(chunks.begin(), chunks.end(), from,
                          [](const ChunkPointer& chunk, Moment moment) { return chunk->times().back() < moment; });
}

/// The spans of the columns: whole nanoseconds, without overflow, the last one ending at `to` exactly.
class ColumnSpans {
public:
  ColumnSpans(Moment from, Moment to, std::size_t columns)
      : m_from(from),
        m_columns(static_cast<std::int64_t>(columns)),
        m_whole((to - from).count() / m_columns),
        m_rest((to - from).count() % m_columns) {}

  [[nodiscard]] Moment begin(std::size_t column) const {
    const auto index = static_cast<std::int64_t>(column);
    return m_from + Nanoseconds(m_whole * index + m_rest * index / m_columns);
  }

private:
  Moment m_from;
  std::int64_t m_columns;
  std::int64_t m_whole;
  std::int64_t m_rest;
};

double lastReported(const HistoryChunk& chunk, Metric metric) {
  std::size_t index = chunk.size();
  double value = chunk.value(metric, --index);
  while (std::isnan(value) && index > 0) value = chunk.value(metric, --index);
  return value;
}

/// Smallest, largest and last of the samples so far. NaN compares false and so is passed over without a branch of its
/// own; `last` says whether there was any.
struct Extent {
  double smallest = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();
  double last = std::numeric_limits<double>::quiet_NaN();

  void add(double value) { add(value, value, value); }
  void add(double low, double high, double newest) {
    smallest = low < smallest ? low : smallest;
    largest = high > largest ? high : largest;
    last = std::isnan(newest) ? last : newest;
  }
};

/// Takes samples in order of time and writes each column when the next begins.
class ColumnFiller {
public:
  ColumnFiller(std::vector<PixelColumn>& columns, Moment to) : m_columns(columns), m_to(to), m_end(endOf(0)) {}

  /// Does a span from `first` to `last` lie in one column?
  bool holdsWhole(Moment first, Moment last) {
    if (first >= m_end) advance(first);
    return last < m_end;
  }
  void addWhole(const HistoryChunk& chunk, Metric metric) {
    const auto [smallest, largest] = chunk.range(metric);
    m_extent.add(smallest, largest, lastReported(chunk, metric));
  }
  /// The samples [index, end) of a chunk, all of them before `to`.
  void add(const HistoryChunk& chunk, Metric metric, std::size_t index, std::size_t end) {
    const Moment* const times = chunk.times().data();
    const double* const values = chunk.values(metric);
    const double constant = chunk.constant(metric);
    Extent extent = m_extent;
    for (; index < end; ++index) {
      if (times[index] >= m_end) {
        m_extent = extent;
        advance(times[index]);
        extent = m_extent;
      }
      extent.add(values != nullptr ? values[index] : constant);
    }
    m_extent = extent;
  }
  void finish() {
    if (std::isnan(m_extent.last)) return;
    PixelColumn& column = m_columns[m_index];
    column.smallest = m_extent.smallest;
    column.largest = m_extent.largest;
    column.last = m_extent.last;
  }

private:
  [[nodiscard]] Moment endOf(std::size_t index) const {
    return index + 1 < m_columns.size() ? m_columns[index + 1].time : m_to;
  }
  void advance(Moment time) {
    finish();
    m_extent = {};
    while (time >= m_end && m_index + 1 < m_columns.size()) m_end = endOf(++m_index);
  }

  std::vector<PixelColumn>& m_columns;
  Moment m_to;
  std::size_t m_index = 0;
  Moment m_end;
  Extent m_extent;
};

std::size_t firstSampleAt(const std::vector<Moment>& times, Moment from) {
  return static_cast<std::size_t>(std::lower_bound(times.begin(), times.end(), from) - times.begin());
}

}  // namespace

std::vector<PixelColumn> downsample(const ConnectionHistory& history, Metric metric, Moment from, Moment to,
                                    std::size_t columns) {
  std::vector<PixelColumn> pixels;
  if (columns == 0 || to <= from) return pixels;
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const ColumnSpans spans(from, to, columns);
  pixels.reserve(columns);
  for (std::size_t column = 0; column < columns; ++column) pixels.push_back({spans.begin(column), kNone, kNone, kNone});

  ColumnFiller filler(pixels, to);
  for (auto next = firstChunkAt(history.chunks(), from); next != history.chunks().end(); ++next) {
    const HistoryChunk& chunk = **next;
    const std::vector<Moment>& times = chunk.times();
    if (times.front() >= to) break;
    if (std::isnan(chunk.range(metric).first)) continue;
    if (times.front() >= from && filler.holdsWhole(times.front(), times.back())) {
      filler.addWhole(chunk, metric);
      continue;
    }
    filler.add(chunk, metric, firstSampleAt(times, from), firstSampleAt(times, to));
  }
  filler.finish();
  return pixels;
}

std::optional<SpanSummary> summarize(const ConnectionHistory& history, Metric metric, Moment from, Moment to) {
  Extent extent;
  std::size_t count = 0;
  double sum = 0.0;
  for (auto next = firstChunkAt(history.chunks(), from); next != history.chunks().end(); ++next) {
    const HistoryChunk& chunk = **next;
    const std::vector<Moment>& times = chunk.times();
    if (times.front() > to) break;
    if (std::isnan(chunk.range(metric).first)) continue;
    const std::size_t end = times.back() <= to ? times.size() : firstSampleAt(times, to + Nanoseconds(1));
    for (std::size_t index = firstSampleAt(times, from); index < end; ++index) {
      const double value = chunk.value(metric, index);
      if (std::isnan(value)) continue;
      extent.add(value);
      sum += value;
      ++count;
    }
  }
  if (count == 0) return std::nullopt;
  return SpanSummary{count, extent.smallest, extent.largest, sum / static_cast<double>(count), extent.last};
}

}  // namespace tcpscope
