// A list of short texts that is updated many times a second and stands still meanwhile: selection and scroll position
// stay as long as a row has the same first cell.
#pragma once

#include <QColor>
#include <QTreeWidget>
#include <vector>

namespace tcpscope {

struct SteadyRow {
  /// One per column; the first identifies the row.
  QStringList cells;
  /// Plain text; empty where the cells say all.
  QString toolTip;
  /// Of the first cell; invalid for the usual colour.
  QColor color;

  bool operator==(const SteadyRow&) const = default;
};

class SteadyList : public QTreeWidget {
  Q_OBJECT
public:
  SteadyList(const QStringList& columns, const QString& accessibleName, QWidget* parent = nullptr);

  void setRows(std::vector<SteadyRow> rows);
  /// Figures in this column stand at its right edge.
  void alignRight(int column) { m_rightColumn = column; }

private:
  void fill(QTreeWidgetItem& item, const SteadyRow& row) const;

  std::vector<SteadyRow> m_rows;
  int m_rightColumn = -1;
};

}  // namespace tcpscope
