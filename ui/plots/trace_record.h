// The samples of the traces on a plot, arranged so that a picture of any span costs what it has columns: the times
// once, and a min/max pyramid per metric.
//
// It follows a connection's history: each update takes over what was added. Where the history is another one (another
// connection, another moment of a replay) it starts over.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "core/model/connection_history.h"
#include "core/model/connection_id.h"
#include "core/model/min_max_pyramid.h"

namespace tcpscope {

class TraceRecord {
public:
  /// Only these metrics are kept. One that was not kept before is read from the start of the history.
  void update(ConnectionId connection, const ConnectionHistory& history, std::span<const Metric> metrics);
  void clear();

  /// In order of time.
  [[nodiscard]] const std::vector<Moment>& times() const { return m_times; }
  /// A value per time. Null for a metric that is not kept.
  [[nodiscard]] const MinMaxPyramid* values(Metric metric) const;
  /// Index of the first sample at or after a moment.
  [[nodiscard]] std::size_t firstAt(Moment moment) const;
  /// The first sample at or after from, from + width … from + count * width: count + 1 indexes. Computed once for all
  /// traces of a picture, and valid until the next call.
  [[nodiscard]] const std::vector<std::size_t>& columnBounds(Moment from, Nanoseconds width, std::size_t count);

private:
  [[nodiscard]] bool isContinuedBy(const ConnectionHistory& history) const;
  void appendTimes(const ConnectionHistory& history);
  void appendValues(const ConnectionHistory& history, Metric metric);

  /// Connections that are sampled together have the same times.
  std::optional<ConnectionId> m_connection;
  std::vector<Moment> m_times;
  std::map<Metric, MinMaxPyramid> m_values;
  Moment m_boundsFrom;
  Nanoseconds m_boundsWidth{0};
  std::vector<std::size_t> m_bounds;
};

}  // namespace tcpscope
