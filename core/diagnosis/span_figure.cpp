#include <algorithm>

#include "core/diagnosis/window_statistics.h"

namespace tcpscope {

void SpanFigure::add(double value) {
  const auto single = static_cast<float>(value);
  m_smallest = m_count == 0 ? single : std::min(m_smallest, single);
  m_largest = m_count == 0 ? single : std::max(m_largest, single);
  m_sum += value;
  ++m_count;
}

SpanFigure& SpanFigure::operator+=(const SpanFigure& other) {
  if (other.m_count == 0) return *this;
  if (m_count == 0) return *this = other;
  m_smallest = std::min(m_smallest, other.m_smallest);
  m_largest = std::max(m_largest, other.m_largest);
  m_sum += other.m_sum;
  m_count += other.m_count;
  return *this;
}

std::optional<double> SpanFigure::smallest() const {
  if (m_count == 0) return std::nullopt;
  return static_cast<double>(m_smallest);
}

std::optional<double> SpanFigure::largest() const {
  if (m_count == 0) return std::nullopt;
  return static_cast<double>(m_largest);
}

std::optional<double> SpanFigure::mean() const {
  if (m_count == 0) return std::nullopt;
  return m_sum / m_count;
}

}  // namespace tcpscope
