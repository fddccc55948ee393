// What needs attention, as a table: what it is about, which process has it, what is wrong, and what to do next.
//
// Worst first by kind. Within a kind a problem keeps its row as long as it lasts, and new ones come behind: nothing
// moves under the pointer because a count changes.
#pragma once

#include <QAbstractTableModel>
#include <map>
#include <memory>
#include <tuple>
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
  /// What makes a problem the same from snapshot to snapshot.
  using Key = std::tuple<ProblemKind, Cause, PlaceId, Endpoint, const Owner*>;
  using RowsByKey = std::map<Key, int>;

  static Key keyOf(const Problem& problem);
  static RowsByKey rowsByKey(const std::vector<Problem>& problems);
  static std::vector<Problem> inSteadyOrder(std::vector<Problem> now, const RowsByKey& before);
  void removeAllBut(const std::vector<Problem>& problems);
  void insertNew(const std::vector<Problem>& problems, const RowsByKey& before);

  std::shared_ptr<const std::vector<Problem>> m_shown;
  std::vector<Problem> m_problems;
};

/// One line on what needs attention, the worst first; empty where nothing does.
QString problemAlert(const std::vector<Problem>& problems);

}  // namespace tcpscope
