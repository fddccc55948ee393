// A value that holds until it changes, reduced to columns of pixels: what it was at least, at most and last in each.
//
// Points may come in any order of time within and across columns, so that one line can be gathered from two sources.
// In the first and the last column of a block of points its extremes are taken for both: an error of one pixel.
#pragma once

#include <limits>
#include <vector>

#include "ui/feed/selection.h"

namespace tcpscope {

struct StepColumn {
  /// NaN where no point fell into the column.
  double smallest = std::numeric_limits<double>::quiet_NaN();
  double largest = std::numeric_limits<double>::quiet_NaN();
  double last = std::numeric_limits<double>::quiet_NaN();
  Moment lastTime = Moment::fromNanoseconds(std::numeric_limits<std::int64_t>::min());
};

class StepColumns {
public:
  /// `columns` above zero, `screen` longer than nothing.
  StepColumns(int columns, TimeSpan screen);

  /// A point before the screen is what the line begins with, one after it is left out.
  void add(Moment time, double value);
  /// Points between two moments on the screen, less than a column apart.
  void addBlock(Moment first, Moment last, double smallest, double largest, double lastValue);

  [[nodiscard]] const std::vector<StepColumn>& columns() const { return m_columns; }
  /// The value with which the screen begins; NaN where it is not known.
  [[nodiscard]] double before() const { return m_before.last; }
  /// The last value on the screen or before it; NaN where there is none.
  [[nodiscard]] double newest() const;
  /// Smallest and largest value on the screen, that before it included; NaN where there is none.
  [[nodiscard]] double smallest() const;
  [[nodiscard]] double largest() const;

private:
  static void put(StepColumn& column, Moment time, double smallest, double largest, double last);

  TimeSpan m_screen;
  double m_columnsPerNanosecond;
  StepColumn m_before;
  std::vector<StepColumn> m_columns;
};

}  // namespace tcpscope
