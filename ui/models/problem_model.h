// What needs attention, as a table: what it is about, which process has it, what is wrong, and what to do next.
//
// Rows come in the order of the snapshot, worst first. A snapshot with the same problems is one dataChanged, so that a
// selection and the place scrolled to stay.
#pragma once

#include <QAbstractTableModel>

#include "core/session/problems.h"
#include "ui/feed/snapshot_feed.h"

namespace tcpscope {

enum class ProblemColumn : std::uint8_t { subject, process, problem, nextStep, count };

class ProblemModel : public QAbstractTableModel {
  Q_OBJECT
public:
  using QAbstractTableModel::QAbstractTableModel;

  void setSnapshot(const SnapshotPointer& snapshot);
  /// Null for a row that does not exist.
  [[nodiscard]] const Problem* problemAt(int row) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  std::shared_ptr<const std::vector<Problem>> m_problems;
};

/// One line on what needs attention, the worst first; empty where nothing does.
QString problemAlert(const std::vector<Problem>& problems);

}  // namespace tcpscope
