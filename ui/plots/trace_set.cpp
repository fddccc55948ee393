#include "ui/plots/trace_set.h"

#include <algorithm>

namespace tcpscope {

std::optional<std::size_t> TraceSet::indexOf(const TraceSource& source) const {
  const auto found =
      std::find_if(m_traces.begin(), m_traces.end(), [&](const Trace& trace) { return trace.source == source; });
  if (found == m_traces.end()) return std::nullopt;
  return static_cast<std::size_t>(found - m_traces.begin());
}

std::optional<std::size_t> TraceSet::add(const TraceSource& source) {
  if (const auto there = indexOf(source)) {
    m_traces[*there].visible = true;
    return there;
  }
  if (m_traces.size() == kMaxTraces) return std::nullopt;
  std::size_t style = 0;
  const auto taken = [&](const Trace& trace) { return trace.style == style; };
  while (std::any_of(m_traces.begin(), m_traces.end(), taken)) ++style;
  m_traces.push_back({source, VerticalScale(source.unit()), style, true});
  return m_traces.size() - 1;
}

std::vector<Metric> TraceSet::metrics() const {
  std::vector<Metric> metrics;
  for (const Trace& trace : m_traces) {
    if (const auto metric = trace.source.metric()) metrics.push_back(*metric);
  }
  return metrics;
}

void TraceSet::remove(std::size_t index) {
  if (index < m_traces.size()) m_traces.erase(m_traces.begin() + static_cast<std::ptrdiff_t>(index));
}

void TraceSet::shareScalesByUnit() {
  const auto shares = [](const Trace& trace) {
    return trace.visible && trace.scale.isAutomatic() && trace.source.kind() == MetricKind::gauge;
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
