// The two measuring cursors A and B: two moments, and what lies between them.
#pragma once

#include <optional>

#include "core/model/downsample.h"
#include "ui/plots/acquisition.h"
#include "ui/plots/span_measurement.h"

namespace tcpscope {

enum class Cursor : std::uint8_t { a, b };

class CursorPair {
public:
  [[nodiscard]] std::optional<Moment> at(Cursor cursor) const { return cursor == Cursor::a ? m_a : m_b; }
  void place(Cursor cursor, Moment moment) { (cursor == Cursor::a ? m_a : m_b) = moment; }
  void remove(Cursor cursor) { (cursor == Cursor::a ? m_a : m_b).reset(); }
  void clear();
  /// Moves a cursor, kept within `bounds`. One that is not placed appears at the middle of `bounds`.
  void move(Cursor cursor, Nanoseconds by, TimeSpan bounds);

  /// B minus A; absent unless both are placed.
  [[nodiscard]] std::optional<Nanoseconds> difference() const;
  /// 1/|Δt| in hertz; absent where the cursors are at the same moment.
  [[nodiscard]] std::optional<double> frequencyHz() const;
  /// From the earlier to the later cursor.
  [[nodiscard]] std::optional<TimeSpan> span() const;

private:
  std::optional<Moment> m_a;
  std::optional<Moment> m_b;
};

/// What the cursors read on one trace; each value in the metric's base unit.
struct CursorReading {
  std::optional<double> atA;
  std::optional<double> atB;
  /// B minus A.
  std::optional<double> difference;
  /// Over the samples in the span; absent where there are none or a cursor is missing.
  std::optional<SpanSummary> inSpan;
  SpanMeasurement measured;
};

CursorReading readCursors(const ConnectionHistory& history, Metric metric, const CursorPair& cursors);

}  // namespace tcpscope
