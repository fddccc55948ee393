// Goes over the points of a series, by whole blocks where a block lies within a column of pixels.
#pragma once

#include "core/wire/series/direction_series.h"

namespace tcpscope {

/// Points [from, to) in order: `onBlock(block, first, last)` for blocks whose points lie less than `narrow` apart,
/// `onPoint(point)` for each of the others.
template <class Point, class Block, class OnBlock, class OnPoint>
void walkSeries(const ChunkedSeries<Point>& points, const ChunkedSeries<Block>& blocks, std::size_t from,
                std::size_t to, Nanoseconds narrow, OnBlock onBlock, OnPoint onPoint) {
  while (from < to) {
    const std::size_t block = from / kBlockPoints;
    const std::size_t end = (block + 1) * kBlockPoints;
    if (from % kBlockPoints == 0 && end <= to && block < blocks.size() &&
        points[end - 1].time - points[from].time < narrow) {
      onBlock(blocks[block], points[from], points[end - 1]);
    } else {
      points.forEach(from, std::min(end, to), [&onPoint](const Point& point, std::size_t) { onPoint(point); });
    }
    from = end;
  }
}

}  // namespace tcpscope
