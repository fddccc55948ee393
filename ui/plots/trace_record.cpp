#include "ui/plots/trace_record.h"

#include <algorithm>
#include <limits>

namespace tcpscope {

namespace {

using Chunks = std::vector<std::shared_ptr<const HistoryChunk>>;

/// The first chunk that ends at or after a moment.
Chunks::const_iterator chunkAt(const Chunks& chunks, Moment moment) {
  return std::lower_bound(chunks.begin(), chunks.end(), moment,
                          [](const auto& chunk, Moment at) { return chunk->times().back() < at; });
}

std::size_t indexIn(const HistoryChunk& chunk, Moment moment) {
  const auto& times = chunk.times();
  return static_cast<std::size_t>(std::lower_bound(times.begin(), times.end(), moment) - times.begin());
}

}  // namespace

void TraceRecord::clear() {
  m_times.clear();
  m_values.clear();
  m_bounds.clear();
}

const MinMaxPyramid* TraceRecord::values(Metric metric) const {
  const auto found = m_values.find(metric);
  return found == m_values.end() ? nullptr : &found->second;
}

std::size_t TraceRecord::firstAt(Moment moment) const {
  return static_cast<std::size_t>(std::lower_bound(m_times.begin(), m_times.end(), moment) - m_times.begin());
}

void TraceRecord::update(ConnectionId connection, const ConnectionHistory& history, std::span<const Metric> metrics) {
  if (m_connection != connection || !isContinuedBy(history)) clear();
  m_connection = connection;
  // Samples that the history's budget has dropped stay until they are as many as those that it holds.
  if (!m_times.empty() && *history.firstTime() != m_times.front() && firstAt(*history.firstTime()) > m_times.size() / 2)
    clear();
  std::erase_if(m_values, [&metrics](const auto& kept) {
    return std::find(metrics.begin(), metrics.end(), kept.first) == metrics.end();
  });
  appendTimes(history);
  for (const Metric metric : metrics) appendValues(history, metric);
}

/// Does it hold our newest sample, and do we hold its oldest?
bool TraceRecord::isContinuedBy(const ConnectionHistory& history) const {
  if (m_times.empty() || history.empty()) return false;
  if (!std::binary_search(m_times.begin(), m_times.end(), *history.firstTime())) return false;
  const auto chunk = chunkAt(history.chunks(), m_times.back());
  return chunk != history.chunks().end() &&
         std::binary_search((*chunk)->times().begin(), (*chunk)->times().end(), m_times.back());
}

void TraceRecord::appendTimes(const ConnectionHistory& history) {
  const Moment after = m_times.empty() ? Moment::fromNanoseconds(std::numeric_limits<std::int64_t>::min())
                                       : m_times.back() + Nanoseconds(1);
  const std::size_t before = m_times.size();
  for (auto chunk = chunkAt(history.chunks(), after); chunk != history.chunks().end(); ++chunk) {
    const auto& times = (*chunk)->times();
    m_times.insert(m_times.end(), std::lower_bound(times.begin(), times.end(), after), times.end());
  }
  if (m_times.size() != before) m_bounds.clear();
}

void TraceRecord::appendValues(const ConnectionHistory& history, Metric metric) {
  MinMaxPyramid& values = m_values[metric];
  if (values.size() == m_times.size()) return;
  // A metric that is new here begins where the history begins.
  if (values.size() == 0) {
    for (std::size_t missing = firstAt(*history.firstTime()); missing > 0; --missing)
      values.append(std::numeric_limits<double>::quiet_NaN());
  }
  const Moment from = m_times[values.size()];
  for (auto chunk = chunkAt(history.chunks(), from); chunk != history.chunks().end(); ++chunk) {
    for (std::size_t index = indexIn(**chunk, from); index < (*chunk)->size(); ++index)
      values.append((*chunk)->value(metric, index));
  }
}

const std::vector<std::size_t>& TraceRecord::columnBounds(Moment from, Nanoseconds width, std::size_t count) {
  if (m_boundsFrom == from && m_boundsWidth == width && m_bounds.size() == count + 1) return m_bounds;
  m_boundsFrom = from;
  m_boundsWidth = width;
  m_bounds.resize(count + 1);
  auto at = m_times.begin();
  for (std::size_t column = 0; column <= count; ++column) {
    at = std::lower_bound(at, m_times.end(), from + width * static_cast<std::int64_t>(column));
    m_bounds[column] = static_cast<std::size_t>(at - m_times.begin());
  }
  return m_bounds;
}

}  // namespace tcpscope
