#include "ui/plots/cursor_pair.h"

#include <algorithm>
#include <cmath>

namespace tcpscope {

void CursorPair::clear() {
  m_a.reset();
  m_b.reset();
}

void CursorPair::move(Cursor cursor, Nanoseconds by, TimeSpan bounds) {
  const Moment from = at(cursor).value_or(bounds.from + (bounds.to - bounds.from) / 2);
  place(cursor, std::clamp(from + by, bounds.from, bounds.to));
}

std::optional<Nanoseconds> CursorPair::difference() const {
  if (!m_a || !m_b) return std::nullopt;
  return *m_b - *m_a;
}

std::optional<double> CursorPair::frequencyHz() const {
  const auto between = difference();
  if (!between || between->count() == 0) return std::nullopt;
  return 1.0 / std::abs(toSeconds(*between));
}

std::optional<TimeSpan> CursorPair::span() const {
  if (!m_a || !m_b) return std::nullopt;
  return TimeSpan{std::min(*m_a, *m_b), std::max(*m_a, *m_b)};
}

CursorReading readCursors(const ConnectionHistory& history, Metric metric, const CursorPair& cursors) {
  CursorReading reading;
  if (const auto a = cursors.at(Cursor::a)) reading.atA = history.valueAt(metric, *a);
  if (const auto b = cursors.at(Cursor::b)) reading.atB = history.valueAt(metric, *b);
  if (reading.atA && reading.atB) reading.difference = *reading.atB - *reading.atA;
  if (const auto span = cursors.span()) {
    reading.inSpan = summarize(history, metric, span->from, span->to);
    reading.measured = measureSpan(history, metric, span->from, span->to);
  }
  return reading;
}

}  // namespace tcpscope
