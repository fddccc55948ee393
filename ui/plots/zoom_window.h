// The part of a recorded whole that a plot shows: a span of time and, where the user chose one, a range of values.
//
// Never leaves the whole, never gets narrower than a microsecond. Without a range of its own a plot fits its values to
// what the span shows.
#pragma once

#include <optional>

#include "core/base/units.h"
#include "ui/feed/selection.h"

namespace tcpscope {

struct ValueRange {
  double from = 0.0;
  double to = 1.0;
  bool operator==(const ValueRange&) const = default;
};

class ZoomWindow {
public:
  /// What there is to see. Another whole shows all of itself; one that only grew keeps what is shown.
  void setWhole(TimeSpan whole);
  [[nodiscard]] const TimeSpan& whole() const { return m_whole; }
  [[nodiscard]] const TimeSpan& shown() const { return m_shown; }
  [[nodiscard]] bool isWhole() const { return m_shown == m_whole && !m_values; }
  void showWhole();
  /// What there is to see goes on, and may have lost its oldest part. A screen that reached the end moves on with it;
  /// one that showed the whole does so up to `longest`.
  void grow(TimeSpan whole, Nanoseconds longest);

  void show(TimeSpan span);
  /// `factor` below 1 shows less; `anchor` stays where it is on the screen.
  void zoom(double factor, Moment anchor);
  /// Positive towards later.
  void pan(Nanoseconds by);
  /// So that `moment` is in the middle, if it is not well inside.
  void bringIntoSight(Moment moment);

  /// Absent while the values fit themselves.
  [[nodiscard]] const std::optional<ValueRange>& values() const { return m_values; }
  /// A range that is not finite or not above nothing is ignored.
  void showValues(ValueRange range);
  void zoomValues(double factor, double anchor, ValueRange shown);
  void fitValues() { m_values.reset(); }

private:
  TimeSpan m_whole;
  TimeSpan m_shown;
  std::optional<ValueRange> m_values;
};

}  // namespace tcpscope
