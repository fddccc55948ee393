// The connection list as a table: rows in the order in which the snapshot brings them, with a heading for each group.
//
// It never sorts and keeps nothing of its own: a new snapshot of the same length is one dataChanged, whatever moved.
// A view keeps the current row by connection (rowOf), not by index.
#pragma once

#include <QAbstractTableModel>

#include "ui/models/connection_columns.h"
#include "ui/models/connection_rows.h"

namespace tcpscope {

class ConnectionListModel : public QAbstractTableModel {
  Q_OBJECT
public:
  using QAbstractTableModel::QAbstractTableModel;

  void setSnapshot(const SnapshotPointer& snapshot);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

  [[nodiscard]] const ConnectionRows& rows() const { return m_rows; }
  [[nodiscard]] std::optional<ConnectionId> connectionAt(int row) const;
  [[nodiscard]] std::optional<int> rowOf(ConnectionId id, int guess) const { return m_rows.find(id, guess); }
  /// Verdicts and limits are to be guessed: question marks stand in their place.
  void hideVerdicts(bool hidden);
  /// As it is shown; nothing for a heading.
  [[nodiscard]] std::optional<ConnectionRow> shownRow(int row) const;
  /// Text of a group's heading; empty for a connection.
  [[nodiscard]] QString headingText(int row) const;

private:
  [[nodiscard]] QString groupLabel(int row, const RowGroup& group) const;
  [[nodiscard]] QVariant headingData(int row, int column, int role) const;

  ConnectionRows m_rows;
  bool m_hidesVerdicts = false;
};

}  // namespace tcpscope
