// Which points of a direction's packets are on the screen, and where on the sequence axis they stand.
#pragma once

#include "core/wire/series/direction_series.h"
#include "ui/feed/selection.h"

namespace tcpscope {

struct Indices {
  std::size_t from;
  std::size_t to;
};

/// Bytes from the direction's first number.
inline double relativeTo(const DirectionSeries& series, StreamOffset offset) {
  return static_cast<double>(static_cast<std::int64_t>(offset - series.origin()));
}

template <class Point>
Indices onScreen(const ChunkedSeries<Point>& points, TimeSpan screen) {
  return {firstFrom(points, screen.from), firstFrom(points, screen.to + Nanoseconds(1))};
}

/// Marks whose segments are on the screen.
inline Indices marksOnScreen(const DirectionSeries& series, TimeSpan screen) {
  const Indices segments = onScreen(series.segments(), screen);
  return {firstMarkFrom(series, segments.from), firstMarkFrom(series, segments.to)};
}

}  // namespace tcpscope
