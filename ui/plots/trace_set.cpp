#include "ui/plots/trace_set.h"

#include <algorithm>

namespace tcpscope {

std::optional<std::size_t> TraceSet::indexOf(Metric metric) const {
  const auto found =
      std::find_if(m_traces.begin(), m_traces.end(), [&](const Trace& trace) { return trace.metric == metric; });
  if (found == m_traces.end()) return std::nullopt;
  return static_cast<std::size_t>(found - m_traces.begin());
}

std::optional<std::size_t> TraceSet::add(Metric metric) {
  if (const auto there = indexOf(metric)) {
    m_traces[*there].visible = true;
    return there;
  }
  if (m_traces.size() == kMaxTraces) return std::nullopt;
  std::size_t style = 0;
  const auto taken = [&](const Trace& trace) { return trace.style == style; };
  while (std::any_of(m_traces.begin(), m_traces.end(), taken)) ++style;
  m_traces.push_back({metric, VerticalScale(metricRow(metric).unit), style, true});
  return m_traces.size() - 1;
}

void TraceSet::remove(std::size_t index) {
  if (index < m_traces.size()) m_traces.erase(m_traces.begin() + static_cast<std::ptrdiff_t>(index));
}

void TraceSet::shareScalesByUnit() {
  const auto shares = [](const Trace& trace) {
    return trace.visible && trace.scale.isAutomatic() && metricRow(trace.metric).kind == MetricKind::gauge;
  };
  for (Trace& trace : m_traces) {
    if (!shares(trace)) continue;
    double coarsest = trace.scale.unitsPerDivision();
    for (const Trace& other : m_traces) {
      if (shares(other) && other.scale.unit() == trace.scale.unit()) {
        coarsest = std::max(coarsest, other.scale.unitsPerDivision());
      }
    }
    trace.scale.followNeighbour(coarsest);
  }
}

}  // namespace tcpscope
