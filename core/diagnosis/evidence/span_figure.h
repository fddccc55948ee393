// Figures of a span of time that add up: smallest, largest and mean of a gauge, and how far events lie apart.
//
// Nothing was measured where the count is 0; the figures are absent then.
#pragma once

#include <cstdint>
#include <optional>

namespace tcpscope {

/// Smallest, largest and mean of a figure over the span; nothing before the first value. Packed: a window of each of
/// many connections has fourteen of them.
class [[gnu::packed, gnu::aligned(4)]] SpanFigure {
public:
  void add(double value);
  SpanFigure& operator+=(const SpanFigure& other);
  [[nodiscard]] bool empty() const {
    return m_count == 0;
  }
  [[nodiscard]] std::optional<double> smallest() const;
  [[nodiscard]] std::optional<double> largest() const;
  [[nodiscard]] std::optional<double> mean() const;
  [[nodiscard]] std::uint32_t count() const {
    return m_count;
  }
  /// The same values with another mean: of values that stand for different times.
  [[nodiscard]] SpanFigure withMean(double mean) const;

private:
  float m_smallest = 0.0F;
  float m_largest = 0.0F;
  double m_sum = 0.0;
  std::uint32_t m_count = 0;
};

/// How far a figure of some events lies apart, as standard deviation over mean.
class EventSpread {
public:
  void add(double value);
  EventSpread& operator+=(const EventSpread& other);
  [[nodiscard]] std::uint32_t count() const { return m_count; }
  /// Nothing before the second event, and where the mean is zero.
  [[nodiscard]] std::optional<double> variation() const;

private:
  double m_sum = 0.0;
  double m_sumOfSquares = 0.0;
  std::uint32_t m_count = 0;
};

}  // namespace tcpscope
