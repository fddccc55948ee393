#include "core/history/downsample.h"

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

void widen(PixelColumn& column, double smallest, double largest) {
  // Negated so that the first value replaces NaN.
  if (!(column.smallest <= smallest)) column.smallest = smallest;
  if (!(column.largest >= largest)) column.largest = largest;
}

double lastReported(const HistoryChunk& chunk, Metric metric) {
  std::size_t index = chunk.size();
  double value = chunk.value(metric, --index);
  while (std::isnan(value) && index > 0) value = chunk.value(metric, --index);
  return value;
}

/// Takes samples in order of time and keeps the column they fall into.
class ColumnFiller {
public:
  ColumnFiller(std::vector<PixelColumn>& columns, Moment to) : m_columns(columns), m_to(to) { enter(0); }

  /// Does a span ending at `last` lie in the column that `first` falls into?
  bool holdsWhole(Moment first, Moment last) {
    advance(first);
    return last < m_end;
  }
  void add(Moment time, double value) {
    if (std::isnan(value)) return;
    if (time >= m_end) advance(time);
    widen(m_columns[m_index], value, value);
    m_columns[m_index].last = value;
  }
  void addWhole(const HistoryChunk& chunk, Metric metric) {
    const auto [smallest, largest] = chunk.range(metric);
    widen(m_columns[m_index], smallest, largest);
    m_columns[m_index].last = lastReported(chunk, metric);
  }

private:
  void enter(std::size_t index) {
    m_index = index;
    m_end = index + 1 < m_columns.size() ? m_columns[index + 1].time : m_to;
  }
  void advance(Moment time) {
    while (time >= m_end && m_index + 1 < m_columns.size()) enter(m_index + 1);
  }

  std::vector<PixelColumn>& m_columns;
  Moment m_to;
  std::size_t m_index = 0;
  Moment m_end;
};

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
    auto index = static_cast<std::size_t>(std::lower_bound(times.begin(), times.end(), from) - times.begin());
    for (; index < times.size() && times[index] < to; ++index) filler.add(times[index], chunk.value(metric, index));
  }
  return pixels;
}

std::optional<SpanSummary> summarize(const ConnectionHistory& history, Metric metric, Moment from, Moment to) {
  SpanSummary summary;
  double sum = 0.0;
  for (auto next = firstChunkAt(history.chunks(), from); next != history.chunks().end(); ++next) {
    const std::vector<Moment>& times = (*next)->times();
    if (times.front() > to) break;
    auto index = static_cast<std::size_t>(std::lower_bound(times.begin(), times.end(), from) - times.begin());
    for (; index < times.size() && times[index] <= to; ++index) {
      const double value = (*next)->value(metric, index);
      if (std::isnan(value)) continue;
      summary.smallest = summary.count == 0 ? value : std::min(summary.smallest, value);
      summary.largest = summary.count == 0 ? value : std::max(summary.largest, value);
      sum += value;
      summary.last = value;
      ++summary.count;
    }
  }
  if (summary.count == 0) return std::nullopt;
  summary.mean = sum / static_cast<double>(summary.count);
  return summary;
}

}  // namespace tcpscope
