// The traces as a table that says the same as the plot: connection, value now, range and mean on the screen, units per
// division, and what the cursors read.
#pragma once

#include <QAbstractTableModel>
#include <QIcon>
#include <vector>

#include "ui/plots/cursor_pair.h"
#include "ui/plots/trace_set.h"

namespace tcpscope {

/// What the table shows of one trace.
struct TraceReading {
  /// As a style: its line is not on the screen.
  static constexpr int kNotDrawn = -1;
  TraceSource source = Metric::count;
  /// Which one, where there are several.
  QString connection{};
  int style = 0;
  double unitsPerDivision = 0.0;
  bool automaticScale = true;
  /// Over the screen.
  std::optional<SpanSummary> onScreen;
  CursorReading cursors;
};

/// "1.00 Mbit/s / div (auto)".
QString perDivisionText(const VerticalScale& scale);
/// A piece of a trace's line as it is drawn, colour and style.
QIcon lineSample(int style);

class TraceTableModel : public QAbstractTableModel {
  Q_OBJECT
public:
  static constexpr int kColumns = 11;
  enum Column : int { connection, trace, now, smallest, mean, largest, perDivision, atA, atB, difference, inSpan };

  using QAbstractTableModel::QAbstractTableModel;

  void setReadings(std::vector<TraceReading> readings);
  [[nodiscard]] const std::vector<TraceReading>& readings() const { return m_readings; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  std::vector<TraceReading> m_readings;
};

}  // namespace tcpscope
