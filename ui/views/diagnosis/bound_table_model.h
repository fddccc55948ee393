// The bounds as a table: model, rate, and whether it applies here or why not.
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "core/diagnosis/bounds/bound.h"

namespace tcpscope {

class BoundTableModel : public QAbstractTableModel {
  Q_OBJECT
public:
  static constexpr int kColumns = 3;
  enum Column : int { model, rate, applies };

  using QAbstractTableModel::QAbstractTableModel;

  void setBounds(std::vector<Bound> bounds);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  std::vector<Bound> m_bounds;
};

}  // namespace tcpscope
