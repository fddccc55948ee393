// The lines of a packet graph: the stepped values of one direction's packets over a span, and the kernel's figures for
// the same at the same moments, reduced to columns of pixels; and which values fit the screen.
//
// What lies within one column is taken by blocks, so that a million segments cost about as much as there are blocks and
// columns. Values of the sequence graphs are bytes from the direction's first number; of the others the unit of the
// graph.
#pragma once

#include <vector>

#include "core/model/connection_history.h"
#include "core/wire/series/direction_series.h"
#include "ui/plots/graph_items.h"
#include "ui/plots/step_columns.h"
#include "ui/plots/zoom_window.h"

namespace tcpscope {

MetricUnit unitOf(PacketGraph graph);

/// The largest window without scaling.
inline constexpr double kUnscaledLimit = 65'535.0;

/// What the kernel of one end has said over time, and what that end is to the direction that is drawn.
struct KernelSide {
  /// On the same axis of time; null where no kernel says anything.
  const ConnectionHistory* history = nullptr;
  Side side = Side::sending;
};

/// A line of a graph, reduced to columns.
struct SceneLine {
  GraphItem item;
  StepColumns columns;
  /// Of the last point: no value is known for longer.
  Moment heldUntil;
};

/// The span over which rates are averaged on such a screen.
Nanoseconds rateSpan(TimeSpan screen);

class PacketLines {
public:
  /// `series` and the history outlive this. `columns` above zero; `screen` longer than nothing.
  PacketLines(const DirectionSeries& series, const KernelSide& kernel, PacketGraph graph, TimeSpan screen, int columns);

  [[nodiscard]] const std::vector<SceneLine>& lines() const { return m_lines; }
  /// What fits the values on the screen, with some room.
  [[nodiscard]] ValueRange fittingValues() const;
  /// rateSpan() of the screen; nothing for graphs without rates.
  [[nodiscard]] std::optional<Nanoseconds> averagedOver() const;

private:
  void gather();
  void gatherAcknowledged(StepColumns* numbers, StepColumns* edges, StepColumns* windows, StepColumns* flight) const;
  void gatherFlight(StepColumns& flight) const;
  void gatherRates();
  void gatherKernel(const KernelSide& kernel);
  void gatherKernel(const HistoryChunk& chunk, Metric metric, StepColumns& columns) const;
  [[nodiscard]] ValueRange streamRange() const;
  [[nodiscard]] ValueRange rttRange() const;
  [[nodiscard]] Nanoseconds perColumn() const { return (m_screen.to - m_screen.from) / m_columns; }

  const DirectionSeries& m_series;
  PacketGraph m_graph;
  TimeSpan m_screen;
  int m_columns;
  /// Of the last point of the packets.
  Moment m_heldUntil;
  std::vector<SceneLine> m_lines;
};

}  // namespace tcpscope
