// The sockets that wait for connections, as a table: who, where, how full the accept queue is, and what is wrong.
//
// Rows come in the order of the snapshot. A snapshot with the same listeners is one dataChanged, so that a selection
// and the place scrolled to stay.
#pragma once

#include <QAbstractTableModel>

#include "ui/feed/snapshot_feed.h"

namespace tcpscope {

enum class ListenerColumn : std::uint8_t { process, local, waiting, allowed, finding, count };

class ListenerModel : public QAbstractTableModel {
  Q_OBJECT
public:
  using QAbstractTableModel::QAbstractTableModel;

  void setSnapshot(const SnapshotPointer& snapshot);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  [[nodiscard]] QString text(const ListenerRow& listener, ListenerColumn column) const;

  SnapshotPointer m_snapshot;
};

}  // namespace tcpscope
