#include "core/model/connection_history.h"

#include <algorithm>
#include <cmath>

namespace tcpscope {
namespace {

bool sameValue(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

}  // namespace

void HistoryChunk::Column::append(std::size_t index, double value) {
  values[static_cast<std::ptrdiff_t>(index)] = value;
  if (std::isnan(value)) return;
  // Negated so that the first reported value replaces NaN.
  if (!(smallest <= value)) smallest = value;
  if (!(largest >= value)) largest = value;
}

void HistoryChunk::append(Moment time, const std::array<double, kMetricCount>& values) {
  if (size() == 0) m_constants = values;
  for (std::size_t metric = 0; metric < kMetricCount; ++metric) {
    const double constant = m_constants[metric];
    if (m_varying[metric]) {
      m_columns[metric].append(size(), values[metric]);
    } else if (!sameValue(values[metric], constant)) {
      Column& column = m_columns[metric];
      column.values = std::make_shared_for_overwrite<double[]>(kChunkSamples);
      std::fill_n(column.values.get(), size(), constant);
      column.smallest = constant;
      column.largest = constant;
      column.append(size(), values[metric]);
      m_varying.set(metric);
    }
  }
  m_times.push_back(time);
}

HistoryChunk HistoryChunk::apart() const {
  HistoryChunk copy = *this;
  for (Column& column : copy.m_columns) {
    if (!column.values) continue;
    auto values = std::make_shared_for_overwrite<double[]>(kChunkSamples);
    std::copy_n(column.values.get(), size(), values.get());
    column.values = std::move(values);
  }
  return copy;
}

std::size_t HistoryChunk::residentBytes() const {
  const std::size_t bytes = sizeof *this + m_times.capacity() * sizeof(Moment);
  return bytes + m_varying.count() * kChunkSamples * sizeof(double);
}

ConnectionHistory::ConnectionHistory(const ConnectionHistory& other)
    : m_budgetBytes(other.m_budgetBytes),
      m_chunks(other.m_chunks),
      m_fullChunksBytes(other.m_fullChunksBytes),
      m_everFullBytes(other.m_everFullBytes) {
  if (!other.m_growing) return;
  m_growing = std::make_shared<HistoryChunk>(*other.m_growing);
  m_borrowsValues = true;
  m_chunks.back() = m_growing;
}

ConnectionHistory::ConnectionHistory(ConnectionHistory&& other) noexcept
    : m_budgetBytes(other.m_budgetBytes),
      m_chunks(std::exchange(other.m_chunks, {})),
      m_growing(std::exchange(other.m_growing, nullptr)),
      m_borrowsValues(other.m_borrowsValues),
      m_fullChunksBytes(std::exchange(other.m_fullChunksBytes, 0)),
      m_everFullBytes(std::exchange(other.m_everFullBytes, 0)) {}

ConnectionHistory& ConnectionHistory::operator=(const ConnectionHistory& other) {
  if (this != &other) *this = ConnectionHistory(other);
  return *this;
}

ConnectionHistory& ConnectionHistory::operator=(ConnectionHistory&& other) noexcept {
  if (this == &other) return *this;
  m_budgetBytes = other.m_budgetBytes;
  m_chunks = std::exchange(other.m_chunks, {});
  m_growing = std::exchange(other.m_growing, nullptr);
  m_borrowsValues = other.m_borrowsValues;
  m_fullChunksBytes = std::exchange(other.m_fullChunksBytes, 0);
  m_everFullBytes = std::exchange(other.m_everFullBytes, 0);
  return *this;
}

bool ConnectionHistory::append(Moment time, const MetricSource& source) {
  if (const std::optional<Moment> last = lastTime(); last && time <= *last) return false;
  return append(time, readAllMetrics(source));
}

bool ConnectionHistory::append(Moment time, const std::array<double, kMetricCount>& values) {
  if (const std::optional<Moment> last = lastTime(); last && time <= *last) return false;
  if (!m_growing || m_growing->size() == kChunkSamples) {
    beginChunk();
  } else if (std::exchange(m_borrowsValues, false)) {
    m_growing = std::make_shared<HistoryChunk>(m_growing->apart());
    m_chunks.back() = m_growing;
  }
  m_growing->append(time, values);
  return true;
}

void ConnectionHistory::beginChunk() {
  const std::size_t filled = m_growing ? m_growing->residentBytes() : 0;
  m_fullChunksBytes += filled;
  m_everFullBytes += filled;
  m_growing = std::make_shared<HistoryChunk>();
  m_borrowsValues = false;
  m_chunks.push_back(m_growing);
  dropOldestOverBudget();
}

void ConnectionHistory::dropOldestOverBudget() {
  // The growing chunk and the one before it stay, whatever the budget: a history without a past shows nothing.
  while (m_chunks.size() > 2 && m_fullChunksBytes > m_budgetBytes) dropOldest(1);
}

void ConnectionHistory::dropOldest(std::size_t chunks) {
  const auto end = m_chunks.begin() + static_cast<std::ptrdiff_t>(chunks);
  for (auto chunk = m_chunks.begin(); chunk != end; ++chunk) m_fullChunksBytes -= (*chunk)->residentBytes();
  m_chunks.erase(m_chunks.begin(), end);
}

std::size_t ConnectionHistory::dropOldestHalf() {
  const std::size_t chunks = m_chunks.size() / 2;
  dropOldest(chunks);
  return chunks * kChunkSamples;
}

std::size_t ConnectionHistory::sampleCount() const {
  // Every chunk but the last is full.
  return m_chunks.empty() ? 0 : (m_chunks.size() - 1) * kChunkSamples + m_chunks.back()->size();
}

std::optional<Moment> ConnectionHistory::firstTime() const {
  if (m_chunks.empty()) return std::nullopt;
  return m_chunks.front()->time(0);
}

std::optional<Moment> ConnectionHistory::lastTime() const {
  if (m_chunks.empty()) return std::nullopt;
  return m_chunks.back()->times().back();
}

std::optional<double> ConnectionHistory::valueAt(Metric metric, Moment time) const {
  const auto beginsLater = std::upper_bound(
      m_chunks.begin(), m_chunks.end(), time,
      [](Moment moment, const std::shared_ptr<const HistoryChunk>& chunk) { return moment < chunk->time(0); });
  for (auto chunk = beginsLater; chunk != m_chunks.begin();) {
    --chunk;
    if (std::isnan((*chunk)->range(metric).first)) continue;
    const std::vector<Moment>& times = (*chunk)->times();
    auto index = static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), time) - times.begin());
    while (index > 0) {
      const double value = (*chunk)->value(metric, --index);
      if (!std::isnan(value)) return value;
    }
  }
  return std::nullopt;
}

std::size_t ConnectionHistory::growingBytes() const {
  return (m_growing ? m_growing->residentBytes() : 0) +
         m_chunks.capacity() * sizeof(std::shared_ptr<const HistoryChunk>);
}

}  // namespace tcpscope
