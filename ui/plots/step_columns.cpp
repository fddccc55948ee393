#include "ui/plots/step_columns.h"

#include <algorithm>
#include <cmath>

namespace tcpscope {

StepColumns::StepColumns(int columns, TimeSpan screen)
    : m_screen(screen),
      m_columnsPerNanosecond(columns / static_cast<double>((screen.to - screen.from).count())),
      m_columns(static_cast<std::size_t>(columns)) {}

void StepColumns::put(StepColumn& column, Moment time, double smallest, double largest, double last) {
  // Negated so that the first value replaces NaN.
  if (!(column.smallest <= smallest)) column.smallest = smallest;
  if (!(column.largest >= largest)) column.largest = largest;
  if (time >= column.lastTime) {
    column.lastTime = time;
    column.last = last;
  }
}

void StepColumns::add(Moment time, double value) {
  if (time < m_screen.from) return put(m_before, time, value, value, value);
  const auto column =
      static_cast<std::size_t>(static_cast<double>((time - m_screen.from).count()) * m_columnsPerNanosecond);
  if (column < m_columns.size()) put(m_columns[column], time, value, value, value);
}

void StepColumns::addBlock(Moment first, Moment last, double smallest, double largest, double lastValue) {
  add(last, lastValue);
  for (const Moment edge : {first, last}) {
    const auto column =
        static_cast<std::size_t>(static_cast<double>((edge - m_screen.from).count()) * m_columnsPerNanosecond);
    if (column >= m_columns.size()) continue;
    if (!(m_columns[column].smallest <= smallest)) m_columns[column].smallest = smallest;
    if (!(m_columns[column].largest >= largest)) m_columns[column].largest = largest;
    if (std::isnan(m_columns[column].last)) m_columns[column].last = smallest;
  }
}

double StepColumns::newest() const {
  const auto known = std::find_if(m_columns.rbegin(), m_columns.rend(),
                                  [](const StepColumn& column) { return !std::isnan(column.last); });
  return known == m_columns.rend() ? m_before.last : known->last;
}

double StepColumns::smallest() const {
  double result = m_before.last;
  for (const StepColumn& column : m_columns) {
    if (!(result <= column.smallest) && !std::isnan(column.smallest)) result = column.smallest;
  }
  return result;
}

double StepColumns::largest() const {
  double result = m_before.last;
  for (const StepColumn& column : m_columns) {
    if (!(result >= column.largest) && !std::isnan(column.largest)) result = column.largest;
  }
  return result;
}

}  // namespace tcpscope
