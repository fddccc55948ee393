#include "core/diagnosis/evidence/span_figure.h"

#include <algorithm>
#include <cmath>

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

SpanFigure SpanFigure::withMean(double mean) const {
  SpanFigure figure(*this);
  figure.m_sum = mean * m_count;
  return figure;
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

void EventSpread::add(double value) {
  m_sum += value;
  m_sumOfSquares += value * value;
  ++m_count;
}

EventSpread& EventSpread::operator+=(const EventSpread& other) {
  m_sum += other.m_sum;
  m_sumOfSquares += other.m_sumOfSquares;
  m_count += other.m_count;
  return *this;
}

std::optional<double> EventSpread::variation() const {
  if (m_count < 2 || m_sum <= 0.0) return std::nullopt;
  const double mean = m_sum / m_count;
  const double variance = (m_sumOfSquares - m_sum * mean) / (m_count - 1);
  return std::sqrt(std::max(variance, 0.0)) / mean;
}

}  // namespace tcpscope
