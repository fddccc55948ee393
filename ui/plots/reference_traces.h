// Traces that were kept to compare with: what the screen showed, drawn behind the live traces from the start of the
// screen on.
#pragma once

#include <QString>
#include <vector>

#include "ui/plots/trace_samples.h"
#include "ui/plots/trace_source.h"

namespace tcpscope {

struct ReferenceTrace {
  TraceSource source;
  ConnectionId connection;
  /// As the connection was named then.
  QString name;
  int style = 0;
  /// As they were on the screen: no finer than its columns.
  TraceSamples samples;
};

class ReferenceTraces {
public:
  /// `from` is the left edge of the screen that showed them. Replaces what was kept before.
  void keep(TimeSpan screen, std::vector<ReferenceTrace> traces);
  void clear() { m_traces.clear(); }
  [[nodiscard]] bool empty() const { return m_traces.empty(); }
  [[nodiscard]] const std::vector<ReferenceTrace>& traces() const { return m_traces; }
  /// When the screen that was kept began.
  [[nodiscard]] Moment from() const { return m_screen.from; }

  /// The samples of a kept trace on a screen that begins at `from`.
  [[nodiscard]] TraceSamples movedTo(const ReferenceTrace& trace, Moment from) const;
  /// The last value so long after the left edge; nothing where none was known, or beyond the screen that was kept.
  [[nodiscard]] std::optional<double> valueAt(const ReferenceTrace& trace, Nanoseconds sinceEdge) const;

private:
  TimeSpan m_screen;
  std::vector<ReferenceTrace> m_traces;
};

}  // namespace tcpscope
