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

/// Index of the first sample of the chunk that is not before `time`.
std::size_t firstNotBefore(const HistoryChunk& chunk, Moment time) {
  std::size_t low = 0;
  std::size_t high = chunk.size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (chunk.time(middle) < time) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

void addPoint(TraceSamples& samples, const TraceSamples::Point& point) {
  samples.points.push_back(point);
  samples.smallest = std::fmin(samples.smallest, point.smallest);
  samples.largest = std::fmax(samples.largest, point.largest);
}

TraceSamples everySample(const ConnectionHistory& history, Metric metric, TimeSpan screen) {
  TraceSamples samples;
  std::optional<TraceSamples::Point> toTheLeft;
  for (const auto& chunk : history.chunks()) {
    if (chunk->size() == 0 || chunk->time(chunk->size() - 1) < screen.from) {
      if (chunk->size() == 0) continue;
      const std::size_t last = chunk->size() - 1;
      const double value = finite(chunk->value(metric, last));
      toTheLeft = TraceSamples::Point{chunk->time(last), value, value, value};
      continue;
    }
    std::size_t index = firstNotBefore(*chunk, screen.from);
    if (index > 0) {
      const double value = finite(chunk->value(metric, index - 1));
      toTheLeft = TraceSamples::Point{chunk->time(index - 1), value, value, value};
    }
    if (toTheLeft) samples.points.push_back(*toTheLeft);
    toTheLeft.reset();
    for (; index < chunk->size(); ++index) {
      const double value = finite(chunk->value(metric, index));
      addPoint(samples, {chunk->time(index), value, value, value});
      if (chunk->time(index) > screen.to) return samples;
    }
  }
  if (samples.points.empty() && toTheLeft) samples.points.push_back(*toTheLeft);
  return samples;
}

TraceSamples columnsOf(const ConnectionHistory& history, Metric metric, TimeSpan screen, std::size_t columns) {
  TraceSamples samples;
  samples.decimated = true;
  const std::int64_t width =
      std::max<std::int64_t>((screen.to - screen.from).count() / static_cast<std::int64_t>(columns), 1);
  const std::int64_t first = screen.from.nanoseconds() / width;
  const std::int64_t last = screen.to.nanoseconds() / width + 1;
  const auto reduced = downsample(history, metric, Moment::fromNanoseconds(first * width),
                                  Moment::fromNanoseconds(last * width), static_cast<std::size_t>(last - first));
  samples.points.reserve(reduced.size());
  for (const PixelColumn& column : reduced) {
    // A column without a sample: the line goes on to the next one.
    if (std::isnan(column.smallest)) continue;
    addPoint(samples, {column.time, finite(column.smallest), finite(column.largest), finite(column.last)});
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

std::size_t samplesIn(const ConnectionHistory& history, TimeSpan span) {
  std::size_t count = 0;
  for (const auto& chunk : history.chunks()) {
    if (chunk->size() == 0 || chunk->time(chunk->size() - 1) < span.from || chunk->time(0) > span.to) continue;
    count += firstNotBefore(*chunk, span.to + Nanoseconds(1)) - firstNotBefore(*chunk, span.from);
  }
  return count;
}

TraceSamples sampleTrace(const ConnectionHistory& history, Metric metric, TimeSpan screen, std::size_t columns,
                         std::span<const Moment> holes) {
  const bool isSparse = samplesIn(history, screen) <= columns;
  TraceSamples samples = isSparse ? everySample(history, metric, screen) : columnsOf(history, metric, screen, columns);
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
