#include "ui/plots/reference_traces.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tcpscope {

void ReferenceTraces::keep(TimeSpan screen, std::vector<ReferenceTrace> traces) {
  m_screen = screen;
  m_traces = std::move(traces);
}

TraceSamples ReferenceTraces::movedTo(const ReferenceTrace& trace, Moment from) const {
  TraceSamples moved = trace.samples;
  for (TraceSamples::Point& point : moved.points) point.time = from + (point.time - m_screen.from);
  return moved;
}

std::optional<double> ReferenceTraces::valueAt(const ReferenceTrace& trace, Nanoseconds sinceEdge) const {
  const Moment at = m_screen.from + sinceEdge;
  if (at > m_screen.to) return std::nullopt;
  const auto& points = trace.samples.points;
  const auto next = std::upper_bound(points.begin(), points.end(), at,
                                     [](Moment moment, const auto& point) { return moment < point.time; });
  if (next == points.begin() || std::isnan(std::prev(next)->last)) return std::nullopt;
  return std::prev(next)->last;
}

}  // namespace tcpscope
