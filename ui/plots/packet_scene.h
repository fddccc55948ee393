// One picture of a packet graph, painted: which graph of which direction over which span.
//
// What lies within one column of pixels is taken by blocks, as for the lines (packet_lines.h).
#pragma once

#include "ui/plots/packet_lines.h"

namespace tcpscope {

class PacketScene {
public:
  /// `series` and the kernel's history outlive the scene. `columns`: pixels of the picture's width; `screen` longer
  /// than nothing.
  PacketScene(const DirectionSeries& series, const KernelSide& kernel, PacketGraph graph, TimeSpan screen, int columns);

  [[nodiscard]] PacketGraph graph() const { return m_graph; }
  [[nodiscard]] const TimeSpan& screen() const { return m_screen; }
  [[nodiscard]] int columns() const { return m_columns; }
  [[nodiscard]] const PacketLines& lines() const { return m_lines; }
  /// `canvas` is as wide as the scene has columns.
  void paint(PixelCanvas& canvas, ValueRange values, Appearance appearance) const;

private:
  [[nodiscard]] Nanoseconds perColumn() const { return (m_screen.to - m_screen.from) / m_columns; }

  struct Pixels;
  void paintSegments(const Pixels& pixels) const;
  void paintSacks(const Pixels& pixels) const;
  void paintMarks(const Pixels& pixels) const;
  void paintOddAcknowledgments(const Pixels& pixels) const;
  void paintRtts(const Pixels& pixels) const;
  void paintLine(const Pixels& pixels, const SceneLine& line) const;

  const DirectionSeries& m_series;
  PacketGraph m_graph;
  TimeSpan m_screen;
  int m_columns;
  PacketLines m_lines;
};

}  // namespace tcpscope
