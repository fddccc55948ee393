// One trace's values with the extremes of their blocks at several levels: smallest and largest value of any span cost
// its logarithm, however many samples it holds.
//
// Append-only. NaN is a value that is not reported; it counts as a sample and has no part in an extreme. Blocks hold 16
// of the level below, so that all levels together take an eighth more memory than the values.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace tcpscope {

struct MinMax {
  double smallest = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();

  void add(const MinMax& other) {
    smallest = other.smallest < smallest ? other.smallest : smallest;
    largest = other.largest > largest ? other.largest : largest;
  }
  /// False while only NaN was added.
  [[nodiscard]] bool isKnown() const { return smallest <= largest; }
};

class MinMaxPyramid {
public:
  void append(double value);
  void reserve(std::size_t samples) { m_values.reserve(samples); }
  [[nodiscard]] std::size_t size() const { return m_values.size(); }
  [[nodiscard]] double value(std::size_t index) const { return m_values[index]; }

  /// Over the samples [from, to); to is at most size().
  [[nodiscard]] MinMax extremes(std::size_t from, std::size_t to) const;
  /// A span that begins or ends at this sample is asked for soon: what it reads there comes into the cache meanwhile.
  void prefetch(std::size_t index) const;
  /// The newest reported value of [from, to); NaN where there is none.
  [[nodiscard]] double last(std::size_t from, std::size_t to) const;

private:
  static constexpr std::size_t kFanOut = 16;

  [[nodiscard]] MinMax firstBlock(std::size_t level) const;

  std::vector<double> m_values;
  /// m_levels[0] has a block per kFanOut values, each further level one per kFanOut blocks. The last block of a level
  /// grows.
  std::vector<std::vector<MinMax>> m_levels;
};

}  // namespace tcpscope
