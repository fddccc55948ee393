// A growing row of points that never moves and never copies what it holds: chunks, the first ones small, so that a
// connection of ten packets costs little and one of ten million wastes nothing.
//
// Points have no constructor to run. Only the owner appends; readers read between two appends.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

namespace tcpscope {

template <class Point>
class ChunkedSeries {
public:
  static_assert(std::is_trivially_copyable_v<Point>);

  void append(const Point& point) {
    next() = point;
    keepNext();
  }
  /// A place behind the last, to be filled in and then kept, or not: what stands in it is of anything.
  [[nodiscard]] Point& next() {
    const Place place = placeOf(m_size);
    if (place.chunk == m_chunks.size()) [[unlikely]] {
      if (m_chunks.empty()) m_chunks.reserve(kFirstChunks);
      m_chunks.push_back(std::make_unique_for_overwrite<Point[]>(chunkSize(place.chunk)));
    }
    return m_chunks[place.chunk][place.offset];
  }
  void keepNext() { ++m_size; }
  [[nodiscard]] std::size_t size() const { return m_size; }
  [[nodiscard]] bool empty() const { return m_size == 0; }
  /// `index` below size().
  [[nodiscard]] const Point& operator[](std::size_t index) const {
    const Place place = placeOf(index);
    return m_chunks[place.chunk][place.offset];
  }
  [[nodiscard]] Point& operator[](std::size_t index) {
    const Place place = placeOf(index);
    return m_chunks[place.chunk][place.offset];
  }
  [[nodiscard]] const Point& back() const { return (*this)[m_size - 1]; }

  /// `visit` gets the points [from, to) and their indices, in order; cheaper than one by one.
  template <class Visit>
  void forEach(std::size_t from, std::size_t to, Visit visit) const {
    to = std::min(to, m_size);
    while (from < to) {
      const Place place = placeOf(from);
      const std::size_t count = std::min(to - from, chunkSize(place.chunk) - place.offset);
      const Point* const points = m_chunks[place.chunk].get() + place.offset;
      for (std::size_t index = 0; index < count; ++index) visit(points[index], from + index);
      from += count;
    }
  }

  /// Memory outside of the object itself.
  [[nodiscard]] std::size_t residentBytes() const {
    std::size_t bytes = m_chunks.capacity() * sizeof(m_chunks[0]);
    for (std::size_t chunk = 0; chunk < m_chunks.size(); ++chunk) bytes += chunkSize(chunk) * sizeof(Point);
    return bytes;
  }

private:
  static constexpr std::size_t kFirst = 4;
  static constexpr std::size_t kFirstChunks = 2;
  static constexpr std::size_t kDoublings = 9;
  static constexpr std::size_t kLargest = kFirst << kDoublings;
  /// Index of the first point in a chunk of the largest size.
  static constexpr std::size_t kLargestFrom = kFirst * ((std::size_t{1} << kDoublings) - 1);

  struct Place {
    std::size_t chunk;
    std::size_t offset;
  };
  static std::size_t chunkSize(std::size_t chunk) { return chunk < kDoublings ? kFirst << chunk : kLargest; }
  static Place placeOf(std::size_t index) {
    if (index >= kLargestFrom) {
      const std::size_t beyond = index - kLargestFrom;
      return {kDoublings + beyond / kLargest, beyond % kLargest};
    }
    const auto chunk = static_cast<std::size_t>(std::bit_width((index / kFirst + 1) / 2));
    return {chunk, index - kFirst * ((std::size_t{1} << chunk) - 1)};
  }

  std::vector<std::unique_ptr<Point[]>> m_chunks;
  std::size_t m_size = 0;
};

/// How many points at the front are before something; all that are stand before all that are not.
template <class Point, class IsBefore>
std::size_t countBefore(const ChunkedSeries<Point>& series, IsBefore isBefore) {
  std::size_t low = 0;
  std::size_t high = series.size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (isBefore(series[middle])) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace tcpscope
