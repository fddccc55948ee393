// The traces on the screen, in the order in which they were added. A trace keeps its colour and line style, whatever is
// added or removed beside it.
#pragma once

#include <optional>
#include <vector>

#include "ui/plots/trace_source.h"
#include "ui/plots/vertical_scale.h"
#include "ui/theme/theme.h"

namespace tcpscope {

/// As many as there are pairs of colour and line style.
inline constexpr std::size_t kMaxTraces = static_cast<std::size_t>(kTraceStyleCount);

struct Trace {
  TraceSource source;
  VerticalScale scale;
  /// Which pair of colour and line style (ui/theme), below kMaxTraces.
  std::size_t style = 0;
  bool visible = true;
};

class TraceSet {
public:
  [[nodiscard]] const std::vector<Trace>& traces() const { return m_traces; }
  [[nodiscard]] bool empty() const { return m_traces.empty(); }
  [[nodiscard]] std::size_t size() const { return m_traces.size(); }
  [[nodiscard]] std::optional<std::size_t> indexOf(const TraceSource& source) const;
  [[nodiscard]] Trace& at(std::size_t index) { return m_traces.at(index); }
  [[nodiscard]] const Trace& at(std::size_t index) const { return m_traces.at(index); }

  /// The trace's index, which may have been there before; nothing where the screen is full.
  std::optional<std::size_t> add(const TraceSource& source);
  /// Those of the connection's samples, in the order of the traces.
  [[nodiscard]] std::vector<Metric> metrics() const;
  void remove(std::size_t index);
  void clear() { m_traces.clear(); }
  /// Gauges of one unit in automatic mode get the coarsest of their scales: a window that looks smaller than another
  /// is smaller. A counter, which grows without end, keeps its own.
  void shareScalesByUnit();

private:
  std::vector<Trace> m_traces;
};

}  // namespace tcpscope
