#include "ui/plots/trace_samples.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tcpscope {

namespace {

constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();

double finite(double value) {
  return std::isfinite(value) ? value : kNotKnown;
}

void addPoint(TraceSamples& samples, const TraceSamples::Point& point) {
  samples.points.push_back(point);
  samples.smallest = std::fmin(samples.smallest, point.smallest);
  samples.largest = std::fmax(samples.largest, point.largest);
}

TraceSamples everySample(const TraceRecord& record, const MinMaxPyramid& values, TimeSpan screen) {
  TraceSamples samples;
  const std::vector<Moment>& times = record.times();
  std::size_t index = record.firstAt(screen.from);
  const auto pointAt = [&](std::size_t at) {
    const double value = finite(values.value(at));
    return TraceSamples::Point{times[at], value, value, value};
  };
  // The neighbour to the left is on the line, but not on the screen.
  if (index > 0) samples.points.push_back(pointAt(index - 1));
  for (; index < times.size(); ++index) {
    addPoint(samples, pointAt(index));
    if (times[index] > screen.to) break;
  }
  return samples;
}

TraceSamples columnsOf(TraceRecord& record, const MinMaxPyramid& values, TimeSpan screen, std::size_t columns) {
  TraceSamples samples;
  samples.decimated = true;
  const std::int64_t width =
      std::max<std::int64_t>((screen.to - screen.from).count() / static_cast<std::int64_t>(columns), 1);
  const std::int64_t first = screen.from.nanoseconds() / width;
  const std::int64_t last = screen.to.nanoseconds() / width + 1;
  const Moment from = Moment::fromNanoseconds(first * width);
  const std::vector<std::size_t>& bounds =
      record.columnBounds(from, Nanoseconds(width), static_cast<std::size_t>(last - first));
  samples.points.reserve(bounds.size());
  // Columns of many samples lie apart in memory: the cache misses of several overlap.
  constexpr std::size_t kAhead = 4;
  for (std::size_t column = 0; column + 1 < bounds.size(); ++column) {
    values.prefetch(bounds[std::min(column + kAhead, bounds.size() - 1)]);
    const MinMax extremes = values.extremes(bounds[column], bounds[column + 1]);
    // A column without a sample: the line goes on to the next one.
    if (!extremes.isKnown()) continue;
    addPoint(samples, {from + Nanoseconds(width) * static_cast<std::int64_t>(column), finite(extremes.smallest),
                       finite(extremes.largest), finite(values.last(bounds[column], bounds[column + 1]))});
  }
  return samples;
}

/// A point that interrupts the line wherever a hole ends between two points. Points that stand for the same or the next
/// column leave no room for one.
void interrupt(TraceSamples& samples, std::span<const Moment> holes, Nanoseconds columnWidth) {
  std::vector<TraceSamples::Point> broken;
  broken.reserve(samples.points.size() + holes.size());
  auto hole = holes.begin();
  for (const TraceSamples::Point& point : samples.points) {
    const Moment end = point.time + columnWidth;
    bool isAfterHole = false;
    for (; hole != holes.end() && *hole <= end; ++hole) isAfterHole = true;
    if (isAfterHole && !broken.empty() && point.time - broken.back().time > columnWidth) {
      broken.push_back({broken.back().time + Nanoseconds(1), kNotKnown, kNotKnown, kNotKnown});
    }
    broken.push_back(point);
  }
  samples.points = std::move(broken);
}

}  // namespace

TraceSamples::TraceSamples() : smallest(kNotKnown), largest(kNotKnown) {}

std::size_t samplesIn(const TraceRecord& record, TimeSpan span) {
  return record.firstAt(span.to + Nanoseconds(1)) - record.firstAt(span.from);
}

TraceSamples sampleTrace(TraceRecord& record, Metric metric, TimeSpan screen, std::size_t columns,
                         std::span<const Moment> holes) {
  const MinMaxPyramid* values = record.values(metric);
  if (values == nullptr) return {};
  const bool isSparse = samplesIn(record, screen) <= columns;
  TraceSamples samples = isSparse ? everySample(record, *values, screen) : columnsOf(record, *values, screen, columns);
  if (!holes.empty()) {
    const Nanoseconds width = (screen.to - screen.from) / static_cast<std::int64_t>(std::max<std::size_t>(columns, 1));
    interrupt(samples, holes, isSparse ? Nanoseconds(0) : width);
  }
  return samples;
}

std::vector<Moment> holesOf(std::span<const HistoryEvent> events, TimeSpan screen) {
  std::vector<Moment> holes;
  for (const HistoryEvent& event : events) {
    if (event.kind == HistoryEventKind::gap && event.time >= screen.from) holes.push_back(event.time);
  }
  return holes;
}

}  // namespace tcpscope
