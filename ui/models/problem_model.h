// What needs attention, as a table: what it is about, which process has it, what is wrong, and what to do next.
//
// Worst first by kind. Within a kind a problem keeps its row as long as it lasts, and new ones come behind: nothing
// moves under the pointer because a count changes.
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "core/session/problems.h"
#include "ui/feed/snapshot_feed.h"

namespace tcpscope {

enum class ProblemColumn : std::uint8_t { severity, subject, process, problem, nextStep, count };

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
  void setProblems(std::vector<Problem> problems);

  std::vector<Problem> m_problems;
};

/// One line on what needs attention, the worst first; empty where nothing does.
QString problemAlert(const std::vector<Problem>& problems);

}  // namespace tcpscope
